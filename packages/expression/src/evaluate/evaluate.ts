import type { Node, Value } from '../tree/node.ts';
import { readInputs, startBudget } from './access.ts';
import { interpret } from './interpret.ts';
import { planTree } from './plan/plan.ts';
import { type RunOptions, asExpressionError, createRun } from './run.ts';
import { cleanCopy } from './value.ts';

export interface EvaluateOptions extends RunOptions {
  /** The inputs by name: the parameters of a root lambda, or the free parameters. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The value of a tree, by the reference interpreter. Throws an `ExpressionError` with a code and a path. */
export const evaluate = (tree: Node, options: EvaluateOptions = {}): Value => {
  try {
    const plan = planTree(tree, createRun(options));
    startBudget(plan);
    return cleanCopy(interpret(plan.body, { slots: readInputs(plan, options.params) }), plan) as Value;
  } catch (error) {
    throw asExpressionError(error, { path: '/root', span: tree?.span });
  }
};
