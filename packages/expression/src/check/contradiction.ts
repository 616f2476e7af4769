import type { Issue } from '../issue.ts';
import type { Node, Value } from '../node.ts';
import { type Place, pointer } from '../place.ts';
import { rowMember } from '../row.ts';

interface Bounds {
  equal: Value[];
  above: { at: number; open: boolean } | undefined;
  below: { at: number; open: boolean } | undefined;
}

/** Conditions on one field that hold one by one but never together, such as `t.n > 5 && t.n < 3`. */
export const contradictions = (body: Node, place: Place, row: string): Issue[] => {
  const bounds = new Map<string, Bounds>();
  const issues: Issue[] = [];
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
    if (!found) continue;
    const known = bounds.get(found.field) ?? { equal: [], above: undefined, below: undefined };
    bounds.set(found.field, known);
    if (isPossible(known)) {
      narrow(known, found.op, found.value);
      if (!isPossible(known)) {
        const message = `Together with what is asked before of ${JSON.stringify(found.field)} this never holds`;
        issues.push({
          code: 'compare.contradiction',
          path: pointer(place),
          span: node.span,
          message,
          details: { field: found.field },
        });
      }
    }
  }
  return issues;
};

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '===': '===' };

const comparison = (node: Node, row: string): { field: string; op: string; value: Value } | undefined => {
  if (node.kind !== 'Binary' || !(node.op in MIRRORED)) return undefined;
  const isRow = (name: string): boolean => name === row;
  const [left, right] = [rowMember(node.left, isRow), rowMember(node.right, isRow)];
  if (left !== undefined && node.right.kind === 'Constant')
    return { field: left, op: node.op, value: node.right.value };
  if (right !== undefined && node.left.kind === 'Constant')
    return { field: right, op: MIRRORED[node.op]!, value: node.left.value };
  return undefined;
};

const narrow = (known: Bounds, op: string, value: Value): void => {
  if (op === '===') {
    if (value === null || typeof value !== 'object') known.equal.push(value);
    return;
  }
  const at = value instanceof Date ? value.getTime() : value;
  if (typeof at !== 'number') return;
  const open = op === '<' || op === '>';
  if (op.startsWith('>')) {
    if (!known.above || at > known.above.at || (at === known.above.at && open)) known.above = { at, open };
  } else if (!known.below || at < known.below.at || (at === known.below.at && open)) known.below = { at, open };
};

const isPossible = ({ equal, above, below }: Bounds): boolean => {
  if (equal.some((value) => value !== equal[0])) return false;
  if (above && below && (above.at > below.at || (above.at === below.at && (above.open || below.open)))) return false;
  const [exact] = equal;
  if (typeof exact !== 'number') return true;
  if (above && (exact < above.at || (exact === above.at && above.open))) return false;
  return !(below && (exact > below.at || (exact === below.at && below.open)));
};
