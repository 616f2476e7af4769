import type { DiffLine } from './line-diff.ts';

export type ShownLine = DiffLine | { readonly kind: 'folded'; readonly count: number };

/** Around a change one sees so many lines that are equal. */
const AROUND = 3;

/** Leaves out equal lines that are far from any change, and says how many. */
export const foldSame = (lines: readonly DiffLine[]): ShownLine[] => {
  const isNear = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  }
  const shown: ShownLine[] = [];
  for (let at = 0; at < lines.length; at++) {
    let count = 0;
    while (at + count < lines.length && isNear[at + count] === 0) count++;
    // To say that one line is left out takes a line.
    if (count > 1) shown.push({ kind: 'folded', count });
    else shown.push(lines[at]!);
    if (count > 1) at += count - 1;
  }
  return shown;
};
