/** Of some names the one that is most like what was written, if any is near enough to be what was meant. */
export const nearestName = (written: string, names: Iterable<string>): string | undefined => {
  const wanted = comparable(written);
  let best: string | undefined;
  let least = Math.ceil(wanted.length / 3) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, comparable(name));
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
};

const comparable = (name: string): string => name.slice(0, 64).toLowerCase();

/** Insertions, deletions, replacements and swaps of neighbours. */
const editDistance = (a: string, b: string): number => {
  const rows: number[][] = [];
  for (let row = 0; row <= a.length; row++) {
    const now: number[] = [];
    rows.push(now);
    for (let column = 0; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      now.push(
        row * column === 0
          ? row + column
          : Math.min(
              rows[row - 1]![column]! + 1,
              now[column - 1]! + 1,
              rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
              isSwapped ? rows[row - 2]![column - 2]! + 1 : Infinity,
            ),
      );
    }
  }
  return rows.at(-1)!.at(-1)!;
};
