import { hasPlainInput, isPlain, readInput, readInputs, released, startBudget } from './access.ts';
import { buildClosure } from './closure.ts';
import { buildCode, canBuildCode } from './code.ts';
import type { Node, Value } from './node.ts';
import type { Plan } from './operation.ts';
import { planTree } from './plan.ts';
import { type Run, type RunOptions, type Site, asExpressionError, createRun } from './run.ts';

export interface CompileOptions extends RunOptions {
  /** `code` where functions may be made from text, else `closure`. Both do the same. */
  readonly mode?: 'code' | 'closure' | undefined;
  /**
   * `plain` is the host's word that no object it passes has accessors of its own, which JSON, rows of databases and
   * structured clones never have. Property reads are then several times as fast. Prototypes, functions in data and
   * everything else are guarded all the same.
   */
  readonly data?: 'any' | 'plain' | undefined;
}

export type Compiled = (params?: Readonly<Record<string, unknown>>) => Value;

/** A function that gives what `evaluate` gives, or fails as it fails, for many inputs. */
export const compile = (tree: Node, options: CompileOptions = {}): Compiled => {
  const run = createRun(options);
  const at: Site = { path: '/root', span: tree?.span };
  const plain = options.data === 'plain';
  const mode = options.mode ?? (canBuildCode() ? 'code' : 'closure');
  try {
    const plan = planTree(tree, run);
    if (mode === 'code') return buildCode(plan, run, plain) as Compiled;
    return compileClosure(plan, run, plain);
  } catch (error) {
    throw asExpressionError(error, at);
  }
};

const compileClosure = (plan: Plan, run: Run, plain: boolean): Compiled => {
  const body = buildClosure(plan.body, { run, plain, direct: false });
  if (plain && plan.inputs.length === 1 && plan.slotCount === 1 && plan.steps <= run.limits.steps)
    return compileDirect(plan, run, body);
  return (params) => {
    try {
      startBudget(run, plan);
      return asResult(body(readInputs(plan, params)));
    } catch (error) {
      throw asExpressionError(error, plan);
    }
  };
};

/** For the commonest case, a predicate on one row, with as little between as can be. */
const compileDirect = (plan: Plan, run: Run, general: (slots: unknown[]) => unknown): Compiled => {
  const name = plan.inputs[0]!;
  const steps = run.limits.steps - plan.steps;
  const direct = buildClosure(plan.body, { run, plain: true, direct: true }) as (row: object) => unknown;
  return (params) => {
    run.left = steps;
    try {
      const row = hasPlainInput(params, name) ? params[name] : readInput(params, name);
      const value = isPlain(row) ? direct(row) : general([row]);
      return typeof value === 'boolean' ? value : asResult(value);
    } catch (error) {
      throw asExpressionError(error, plan);
    }
  };
};

const asResult = (value: unknown): Value => (typeof value === 'object' ? released(value) : value) as Value;
