import type { Value } from '../../tree/node.ts';
import { readInput, readInputs, startBudget } from '../access.ts';
import type { Plan } from '../plan/operation.ts';
import { asExpressionError } from '../run.ts';
import type { Trial } from '../trial.ts';
import { cleanCopy } from '../value.ts';
import { buildClosure } from './closure.ts';
import { hasPlainInput, isPlain } from './plain.ts';

type Call = (params: object | undefined) => Value;

/** A function of the inputs, made of closures. With `plain` it reads plainly, once the trial, if any, is passed. */
export const compileClosures = (plan: Plan, plain: boolean, trial?: Trial): Call => {
  const body = buildClosure(plan.body, { plain, direct: false });
  if (plain && plan.inputs.size === 1 && plan.slotCount === 1 && plan.steps <= plan.run.limits.steps)
    return compileDirect(plan, body, trial);
  return (params) => {
    if (trial && !trial.gate.passed) return trial.call(params);
    try {
      startBudget(plan);
      return asResult(body(readInputs(plan, params)), plan);
    } catch (error) {
      throw asExpressionError(error, plan);
    }
  };
};

/** For the commonest case, a predicate on one row, with as little between as can be. */
const compileDirect = (plan: Plan, general: (slots: unknown[]) => unknown, trial: Trial | undefined): Call => {
  const { run } = plan;
  const [name] = [...plan.inputs.keys()] as [string];
  const steps = run.limits.steps - plan.steps;
  const direct = buildClosure(plan.body, { plain: true, direct: true }) as (row: object) => unknown;
  const gate = trial ? trial.gate : { passed: true };
  return (params) => {
    if (!gate.passed) return trial!.call(params);
    run.left = steps;
    try {
      const row = hasPlainInput(params, name) ? params[name] : readInput(params, name, plan);
      const value = isPlain(row) ? direct(row) : general([row]);
      return typeof value === 'boolean' ? value : asResult(value, plan);
    } catch (error) {
      throw asExpressionError(error, plan);
    }
  };
};

const asResult = (value: unknown, plan: Plan): Value =>
  (typeof value === 'object' ? cleanCopy(value, plan) : value) as Value;
