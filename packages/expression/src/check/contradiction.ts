import { rowMember } from '../catalogue/row.ts';
import type { Issue } from '../tree/issue.ts';
import type { Node, Value } from '../tree/node.ts';
import { type Place, pointer } from '../tree/place.ts';

interface Condition {
  readonly field: string;
  readonly op: string;
  readonly value: Value;
}

/** Conditions on one field that hold one by one but never together, such as `t.n > 5 && t.n < 3`. */
export const contradictions = (body: Node, place: Place, row: string): Issue[] => {
  const asked: Condition[] = [];
  const issues: Issue[] = [];
  const refuted = new Set<string>();
  const pending: { node: Node; place: Place }[] = [{ node: body, place }];
  for (let top = pending.pop(); top; top = pending.pop()) {
    const { node, place } = top;
    if (node.kind === 'Logical' && node.op === '&&') {
      pending.push(
        { node: node.right, place: { up: place, key: 'right' } },
        { node: node.left, place: { up: place, key: 'left' } },
      );
      continue;
    }
    const found = comparison(node, row);
    if (!found || refuted.has(found.field)) continue;
    const { field } = found;
    // Of conditions that cannot all hold, two cannot hold together: each allows one stretch of values.
    if (asked.some((before) => before.field === field && (excludes(before, found) || excludes(found, before)))) {
      refuted.add(field);
      const message = `Together with what is asked before of ${JSON.stringify(field)} this never holds`;
      issues.push({
        code: 'compare.contradiction',
        path: pointer(place),
        span: node.span,
        message,
        details: { field },
      });
    }
    asked.push(found);
  }
  return issues;
};

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '===': '===' };

const comparison = (node: Node, row: string): Condition | undefined => {
  if (node.kind !== 'Binary' || !(node.op in MIRRORED)) return undefined;
  const isRow = (name: string): boolean => name === row;
  const [left, right] = [rowMember(node.left, isRow), rowMember(node.right, isRow)];
  if (left !== undefined && node.right.kind === 'Constant')
    return { field: left, op: node.op, value: node.right.value };
  if (right !== undefined && node.left.kind === 'Constant')
    return { field: right, op: MIRRORED[node.op]!, value: node.left.value };
  return undefined;
};

/** Whether all that one condition allows lies above all that the other allows, or both ask for another exact value. */
const excludes = (one: Condition, other: Condition): boolean => {
  if (one.op === '===' && other.op === '===')
    return isExact(one.value) && isExact(other.value) && one.value !== other.value;
  const low = one.op.startsWith('<') ? -Infinity : orderOf(one);
  const high = other.op.startsWith('>') ? Infinity : orderOf(other);
  return low > high || (low === high && (one.op === '>' || other.op === '<'));
};

const isExact = (value: Value): boolean => value === null || typeof value !== 'object';

/** NaN for what has no order, so that nothing lies above or below it. */
const orderOf = ({ op, value }: Condition): number => {
  if (value instanceof Date && op !== '===') return value.getTime();
  return typeof value === 'number' ? value : Number.NaN;
};
