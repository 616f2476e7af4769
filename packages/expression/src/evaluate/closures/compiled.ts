import type { Value } from '../../tree/node.ts';
import { readInput, startBudget } from '../access.ts';
import type { Reading } from '../code/writer.ts';
import type { Plan } from '../plan/operation.ts';
import { type Call, asExpressionError } from '../run.ts';
import { cleanCopy } from '../value.ts';
import { type Watch, empty } from './builder.ts';
import { buildClosure } from './closure.ts';

/** A function of the inputs, made of closures. */
export const buildClosures = (plan: Plan, reading: Reading, watch?: Watch): Call => {
  const { slotCount, run } = plan;
  const plain = reading !== 'checked';
  const mayReadPlainly = reading === 'bare' ? isPlainOrBare : isPlainRow;
  const body = buildClosure(plan.body, { plain, plainSlots: slotCount, watch });
  // An object or array that the tree itself makes.
  const isMade = plan.body.kind.endsWith('Lit');
  const inputs = [...plan.inputs];
  const [[name, slot] = ['', 0]] = inputs;
  const steps = run.limits.steps - plan.steps;
  const blank: readonly unknown[] = Array.from({ length: 2 * slotCount });
  const readOne = (params: object | undefined): unknown[] => {
    const given = isPlainInput(params) && !(name in empty) ? params[name] : undefined;
    const value = given === undefined ? readInput(params, name, plan) : given;
    if (slotCount === 1) return [value, mayReadPlainly(value)];
    const slots = blank.slice();
    slots[slot] = value;
    slots[slotCount + slot] = mayReadPlainly(value);
    return slots;
  };
  const readAll = (params: object | undefined): unknown[] => {
    const slots = blank.slice();
    for (const [key, place] of inputs) {
      slots[place] = readInput(params, key, plan);
      slots[slotCount + place] = plain && mayReadPlainly(slots[place]);
    }
    return slots;
  };
  const read = plain && inputs.length === 1 ? readOne : readAll;
  return (params) => {
    try {
      run.left = steps;
      if (steps < 0) startBudget(plan);
      const value = body(read(params));
      return (!isMade && typeof value === 'object' && value !== null ? cleanCopy(value, plan) : value) as Value;
    } catch (error) {
      throw asExpressionError(error, plan);
    }
  };
};

const getPrototype = Object.getPrototypeOf;
const objectPrototype: object = Object.prototype;

/*
 * Each says what `isPlain` says, and the last one of rows without a prototype what generated code says of them. Inputs have
 * another shape than rows: what engines learn of the one must not blur the other.
 */

const isPlainInput = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  ('constructor' in value ? getPrototype(value) === objectPrototype : getPrototype(value) === null);

const isPlainRow = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ('constructor' in value ? getPrototype(value) === objectPrototype : getPrototype(value) === null);

const isPlainOrBare = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (!(value instanceof Object) || ('constructor' in value && getPrototype(value) === objectPrototype));
