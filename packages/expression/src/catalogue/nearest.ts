/** Of some names the one that is most like what was written, if any is near enough to be what was meant. */
export const nearestName = (written: string, names: Iterable<string>): string | undefined => {
  const wanted = written.slice(0, MAX_LENGTH).toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.ceil(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, name.slice(0, MAX_LENGTH).toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
};

const MAX_LENGTH = 64;

/** Insertions, deletions, replacements and swaps of neighbours. */
const editDistance = (a: string, b: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, now[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, before[column - 2]! + 1);
      }
      now.push(cost);
    }
    [before, last] = [last, now];
  }
  return last[b.length]!;
};
