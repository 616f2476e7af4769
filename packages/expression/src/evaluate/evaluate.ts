import type { Value } from '../tree/node.ts';
import type { Inputs, TypedTree } from '../tree/typed-tree.ts';
import { buildClosures } from './closures/compiled.ts';
import { planTree } from './plan/plan.ts';
import { type RunOptions, asExpressionError, createRun } from './run.ts';

export interface EvaluateOptions<Params = Inputs> extends RunOptions {
  /** The inputs by name: the parameters of a root lambda, or the free parameters. */
  readonly params?: Params | undefined;
}

/** The value of a tree. Throws an `ExpressionError` with a code and a path. */
export const evaluate = <Params extends object = Inputs, Result = Value>(
  tree: TypedTree<Params, Result>,
  options: EvaluateOptions<Params> = {},
): NoInfer<Result> => {
  try {
    const call = buildClosures(planTree(tree, createRun(options)), 'checked');
    return call(options.params as Inputs) as NoInfer<Result>;
  } catch (error) {
    throw asExpressionError(error, { path: '/root', span: tree?.span });
  }
};
