import { type EvaluateOptions, ExpressionError, type Node, compile, evaluate } from '../src/index.ts';

export type Outcome = { readonly value: unknown } | { readonly error: string; readonly path: string };

/** Every way to evaluate a tree. All must agree. */
export const ENGINES: Readonly<Record<string, (tree: Node, options: EvaluateOptions) => unknown>> = {
  interpreter: (tree, options) => evaluate(tree, options),
  closure: (tree, { params, ...options }) => compile(tree, { ...options, mode: 'closure' })(params),
  code: (tree, { params, ...options }) => compile(tree, { ...options, mode: 'code' })(params),
  'closure, plain data': (tree, { params, ...options }) =>
    compile(tree, { ...options, mode: 'closure', data: 'plain' })(params),
  'code, plain data': (tree, { params, ...options }) =>
    compile(tree, { ...options, mode: 'code', data: 'plain' })(params),
};

export const outcomeOf = (engine: string, tree: Node, options: EvaluateOptions = {}): Outcome => {
  try {
    return { value: ENGINES[engine]!(tree, options) };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.code, path: error.path };
    throw error;
  }
};
