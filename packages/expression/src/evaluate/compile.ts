import type { Value } from '../tree/node.ts';
import type { Inputs, TypedTree } from '../tree/typed-tree.ts';
import { buildClosures } from './closures/compiled.ts';
import { buildCode, canBuildCode } from './code/code.ts';
import type { Reading } from './code/writer.ts';
import { planTree } from './plan/plan.ts';
import { type Call, type RunOptions, type Spot, asExpressionError, createRun } from './run.ts';
import { startTrial } from './trial.ts';

export interface CompileOptions extends RunOptions {
  /** `code` where functions may be made from text, else `closure`. Both do the same. */
  readonly mode?: 'code' | 'closure' | undefined;
  /**
   * What the objects are that the host passes. An accessor is no data and reads as undefined, but to see that it is one
   * costs several times the read. JSON, rows of databases and structured clones never have accessors of their own.
   *
   * - `alike`, the default: they are alike. The first 100 calls look through their data, and check what functions of the
   *   host give. As long as none of them met an accessor, they read plainly; else all that follow check every read.
   * - `any`: every call checks every read.
   * - `plain`: the host's word that none has an accessor; no call checks.
   *
   * Only accessors that the host itself put on its objects are at stake, whatever the tree is: prototypes, functions in
   * data and everything else are guarded always. The one exception are inputs that inherit from an object without a
   * prototype, among many that have none: what such a row inherits is read too.
   */
  readonly data?: 'alike' | 'any' | 'plain' | undefined;
}

export type Compiled<Params = Inputs, Result = Value> = (
  ...inputs: Inputs extends Params ? [params?: Params] : [params: Params]
) => Result;

/** A function that gives what `evaluate` gives, or fails as it fails, for many inputs. */
export const compile = <Params extends object = Inputs, Result = Value>(
  tree: TypedTree<Params, Result>,
  options: CompileOptions = {},
): Compiled<NoInfer<Params>, NoInfer<Result>> => {
  const at: Spot = { path: '/root', span: tree?.span };
  const mode = options.mode ?? (canBuildCode() ? 'code' : 'closure');
  const data = options.data ?? 'alike';
  try {
    const plan = planTree(tree, createRun(options));
    const build = (reading: Reading): Call =>
      mode === 'code' ? buildCode(plan, reading) : buildClosures(plan, reading);
    const call = data === 'alike' ? startTrial(plan.run, build) : build(data === 'any' ? 'checked' : 'plain');
    return call as unknown as Compiled<NoInfer<Params>, NoInfer<Result>>;
  } catch (error) {
    throw asExpressionError(error, at);
  }
};
