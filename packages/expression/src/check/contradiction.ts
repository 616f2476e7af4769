import { quote } from '../text/strings.ts';
import type { Binary, Value } from '../tree/node.ts';
import { type Reporting, report } from './report.ts';
import type { Inferred } from './types.ts';

/** What a comparison with a constant asks of a field. */
export interface Condition {
  readonly field: string;
  readonly op: string;
  readonly value: Value;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '===': '===' };

/** Conditions on one field that hold one by one but never together, such as `t.n > 5 && t.n < 3`. */
export const checkContradiction = (
  at: Reporting,
  node: Binary,
  left: Inferred,
  right: Inferred,
  asked: Condition[],
): void => {
  const mirrored = MIRRORED[node.op];
  const [field, op, constant] =
    left.field === undefined ? [right.field, mirrored, node.left] : [left.field, mirrored && node.op, node.right];
  if (field === undefined || op === undefined || constant.kind !== 'Constant') return;
  const condition = { field, op, value: constant.value };
  // Of conditions that cannot all hold, two cannot hold together: each allows one stretch of values.
  if (asked.some((before) => before.field === field && (excludes(before, condition) || excludes(condition, before))))
    report(at, 'compare.contradiction', `Together with what is asked before of ${quote(field)} this never holds`, {
      field,
    });
  else asked.push(condition);
};

/** Whether all that one condition allows lies above all that the other allows, or both ask for another exact value. */
const excludes = (one: Condition, other: Condition): boolean => {
  if (one.op === '===' && other.op === '===') return one.value !== other.value;
  if (one.op.startsWith('<') || other.op.startsWith('>')) return false;
  const [low, high] = [orderOf(one.value), orderOf(other.value)];
  return one.op === '>' || other.op === '<' ? low >= high : low > high;
};

/** NaN for what has no order, so that nothing lies above or below it. */
const orderOf = (value: Value): number => (typeof value === 'number' || value instanceof Date ? Number(value) : NaN);
