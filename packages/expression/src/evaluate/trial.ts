import type { Value } from '../tree/node.ts';
import { readInputs, startBudget } from './access.ts';
import { interpret } from './interpret.ts';
import type { Plan } from './plan/operation.ts';
import { asExpressionError } from './run.ts';
import { cleanCopy, lengthOf } from './value.ts';

/**
 * Reading an accessor runs it, and engines have no cheap way to tell one from data. So a compiled function leaves its
 * first calls to the interpreter, and only if none of them met an accessor it reads plainly from then on.
 */
export interface Trial {
  readonly call: (params: object | undefined) => Value;
  /** Its field is written once, when it is added: engines take it for a constant and leave the question out. */
  readonly gate: { passed?: boolean };
}

/** Few enough to be over before engines optimise what asks for the gate. */
const CALLS_TRIED = 100;

export const startTrial = (plan: Plan): Trial => {
  const { run } = plan;
  const gate: Trial['gate'] = {};
  let calls = 0;
  const call = (params: object | undefined): Value => {
    try {
      startBudget(plan);
      run.metAccessor ||= mayHoldAccessor([params, run.scope]);
      return cleanCopy(interpret(plan.body, { slots: readInputs(plan, params) }), plan) as Value;
    } catch (error) {
      throw asExpressionError(error, plan);
    } finally {
      if (++calls >= CALLS_TRIED && !run.metAccessor) gate.passed = true;
    }
  };
  return { call, gate };
};

/** Bounds the look at one call's data. What has more than this is never trusted. */
const LOOKED_AT = 1000;

/** No method of the array is asked: it may be another's. */
const indicesOf = (array: object): string[] => Array.from({ length: lengthOf(array) }, (_, index) => `${index}`);

/** Looks at all data, whatever the tree reads of it: a tree could hide a read until the trial is over. */
const mayHoldAccessor = (roots: readonly unknown[]): boolean => {
  const found = new Set<unknown>(roots);
  try {
    for (const value of found) {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
      if (Array.isArray(value) && lengthOf(value) > LOOKED_AT) return true;
      const keys = Array.isArray(value) ? indicesOf(value) : Reflect.ownKeys(value);
      for (const key of keys) {
        const descriptor = Object.getOwnPropertyDescriptor(value, key);
        if (descriptor && !Object.hasOwn(descriptor, 'value')) return true;
        if (typeof descriptor?.value === 'object') found.add(descriptor.value);
        if (found.size > LOOKED_AT) return true;
      }
    }
    return false;
  } catch {
    // A proxy that the tree may never touch.
    return true;
  }
};
