export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Texts that have less in common than this are not aligned any further. */
const MOST_EDITS = 500;

/** What becomes of a text line by line: with the fewest removed and added lines, unless there are very many. */
export const diffLines = (before: string, after: string): DiffLine[] => {
  const [from, to] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  const most = Math.min(from.length, to.length) - start;
  while (end < most && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return [
    ...linesOf('same', from.slice(0, start)),
    ...diffMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...linesOf('same', from.slice(from.length - end)),
  ];
};

const linesOf = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Myers' greedy search: for each number of edits the furthest place on each diagonal, then back along the way. */
const diffMiddle = (from: readonly string[], to: readonly string[]): DiffLine[] => {
  const trace: Map<number, number>[] = [];
  const most = Math.min(from.length + to.length, MOST_EDITS);
  let reached = new Map([[1, 0]]);
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reached);
    const next = new Map(reached);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOn(diagonal, edits, next);
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= from.length && x - diagonal >= to.length) return walkBack(from, to, trace);
    }
    reached = next;
  }
  return [...linesOf('removed', from), ...linesOf('added', to)];
};

/** Whether the diagonal is reached by adding a line or by removing one, whichever got further. */
const isAdded = (diagonal: number, edits: number, reached: ReadonlyMap<number, number>): boolean =>
  diagonal === -edits || (diagonal !== edits && at(reached, diagonal - 1) < at(reached, diagonal + 1));

const startOn = (diagonal: number, edits: number, reached: ReadonlyMap<number, number>): number =>
  isAdded(diagonal, edits, reached) ? at(reached, diagonal + 1) : at(reached, diagonal - 1) + 1;

const at = (reached: ReadonlyMap<number, number>, diagonal: number): number => reached.get(diagonal) ?? -1;

const walkBack = (
  from: readonly string[],
  to: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): DiffLine[] => {
  const lines: DiffLine[] = [];
  let [x, y] = [from.length, to.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits]!;
    const diagonal = x - y;
    const added = isAdded(diagonal, edits, reached);
    const beforeX = added ? at(reached, diagonal + 1) : at(reached, diagonal - 1);
    const beforeY = beforeX - (added ? diagonal + 1 : diagonal - 1);
    while (x > beforeX && y > Math.max(0, beforeY)) {
      lines.push({ kind: 'same', text: from[--x]! });
      y--;
    }
    if (edits === 0) break;
    lines.push(added ? { kind: 'added', text: to[--y]! } : { kind: 'removed', text: from[--x]! });
  }
  return lines.reverse();
};
