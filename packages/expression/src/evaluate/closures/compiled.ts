import type { Value } from '../../tree/node.ts';
import { hasPlainInput, isPlain, readInput, readInputs, released, startBudget } from '../access.ts';
import type { Plan } from '../plan/operation.ts';
import { type Run, asExpressionError } from '../run.ts';
import type { Trial } from '../trial.ts';
import { buildClosure } from './closure.ts';

type Call = (params: object | undefined) => Value;

/** A function of the inputs, made of closures. With `plain` it reads plainly, once the trial, if any, is passed. */
export const compileClosures = (plan: Plan, run: Run, plain: boolean, trial?: Trial): Call => {
  const body = buildClosure(plan.body, { run, plain, direct: false });
  if (plain && plan.inputs.length === 1 && plan.slotCount === 1 && plan.steps <= run.limits.steps)
    return compileDirect(plan, run, body, trial);
  return (params) => {
    if (trial && !trial.gate.passed) return trial.call(params);
    try {
      startBudget(run, plan);
      return asResult(body(readInputs(plan, params)));
    } catch (error) {
      throw asExpressionError(error, plan);
    }
  };
};

/** For the commonest case, a predicate on one row, with as little between as can be. */
const compileDirect = (
  plan: Plan,
  run: Run,
  general: (slots: unknown[]) => unknown,
  trial: Trial | undefined,
): Call => {
  const name = plan.inputs[0]!;
  const steps = run.limits.steps - plan.steps;
  const direct = buildClosure(plan.body, { run, plain: true, direct: true }) as (row: object) => unknown;
  const gate = trial ? trial.gate : { passed: true };
  return (params) => {
    if (!gate.passed) return trial!.call(params);
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
