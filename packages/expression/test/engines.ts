import { type EvaluateOptions, ExpressionError, type Node, compile, evaluate } from '../src/index.ts';

export type Outcome = { readonly value: unknown } | { readonly error: string; readonly path: string };

const compiled =
  (mode: 'closure' | 'code', data: 'alike' | 'any' | 'plain') =>
  (tree: Node, { params, ...options }: EvaluateOptions): unknown =>
    compile(tree, { ...options, mode, data })(params);

/** Every way to evaluate a tree. All must agree. */
export const ENGINES: Readonly<Record<string, (tree: Node, options: EvaluateOptions) => unknown>> = {
  evaluate: (tree, options) => evaluate(tree, options),
  closure: compiled('closure', 'any'),
  code: compiled('code', 'any'),
  'closure, alike data': compiled('closure', 'alike'),
  'code, alike data': compiled('code', 'alike'),
  'closure, plain data': compiled('closure', 'plain'),
  'code, plain data': compiled('code', 'plain'),
};

export const outcomeOf = (engine: string, tree: Node, options: EvaluateOptions = {}): Outcome => {
  try {
    return { value: ENGINES[engine]!(tree, options) };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.code, path: error.path };
    throw error;
  }
};
