import { checkBounds } from '../tree/bounds.ts';
import type { ExpressionError } from '../tree/issue.ts';
import type { Kind, Node, Value } from '../tree/node.ts';
import { partsOf, pathTo } from '../tree/parts.ts';
import { SHORT } from './access.ts';
import type { Watch } from './closures/builder.ts';
import { buildClosures } from './closures/compiled.ts';
import type { EvaluateOptions } from './evaluate.ts';
import type { Operation } from './plan/operation.ts';
import { planTree } from './plan/plan.ts';
import { asExpressionError, createRun } from './run.ts';

/**
 * What became of a part of a tree: it has a value, it failed, a link before it ended its chain (`short`), it was never
 * reached (`skipped`), or it names what is called and has no value of its own (`callee`).
 */
export type Outcome =
  | { readonly state: 'value'; readonly value: Value }
  | { readonly state: 'error'; readonly error: ExpressionError }
  | { readonly state: 'short' | 'skipped' | 'callee' };

export interface Explained {
  readonly kind: Kind;
  readonly path: string;
  readonly node: Node;
  /** The last one, where a lambda ran several times. */
  readonly outcome: Outcome;
  /** How often it was evaluated. */
  readonly times: number;
  readonly parts: readonly Explained[];
}

/** Evaluates a tree and says what every part of it gave: why a row did or did not match. */
export const explain = (tree: Node, options: EvaluateOptions = {}): Explained => {
  const run = createRun(options);
  const outcomes = new Map<string, { outcome: Outcome; times: number }>();
  const note = (operation: Operation, outcome: Outcome): void => {
    if (operation.kind === 'Lambda') return;
    const times = (outcomes.get(operation.path)?.times ?? 0) + 1;
    outcomes.set(operation.path, { outcome, times });
  };
  let whole: Outcome;
  try {
    checkBounds(tree, run.limits);
    const watch: Watch = (operation, compute, isLink) => {
      try {
        const found = compute();
        const isShort = found === SHORT && isLink;
        const value = found === SHORT ? undefined : (found as Value);
        note(operation, isShort ? { state: 'short' } : { state: 'value', value });
        return found;
      } catch (error) {
        note(operation, { state: 'error', error: asExpressionError(error, operation) });
        throw error;
      }
    };
    const value = buildClosures(planTree(tree, run, true), 'checked', watch)(options.params);
    whole = { state: 'value', value };
  } catch (error) {
    const known = asExpressionError(error, { path: '/root', span: tree?.span });
    if (known.code === 'limit.depth' || known.code === 'limit.nodes' || known.code === 'eval.node') throw known;
    whole = { state: 'error', error: known };
  }
  outcomes.set('/root', { outcome: whole, times: 1 });
  return describe(tree, '/root', outcomes, false);
};

const describe = (
  node: Node,
  path: string,
  outcomes: ReadonlyMap<string, { outcome: Outcome; times: number }>,
  called: boolean,
): Explained => {
  const found = outcomes.get(path);
  const parts = partsOf(node).map(({ part, keys }) =>
    describe(part, pathTo(path, keys), outcomes, isCalled(node, part) && outcomes.has(path)),
  );
  return {
    kind: node.kind,
    path,
    node,
    outcome: found?.outcome ?? { state: called ? 'callee' : 'skipped' },
    times: found?.times ?? 0,
    parts,
  };
};

/** A callee, or a lambda that is handed over, is not evaluated by itself. */
const isCalled = (node: Node, part: Node): boolean =>
  node.kind === 'Call' && (node.callee === part || part.kind === 'Lambda');
