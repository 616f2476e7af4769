/*
 * The runs of a project are numbered 0, 1, 2, … as they arrive. A span of level 1 is 16 neighbouring numbers, one of
 * level 2 is 16 spans of level 1, and so on. Only spans that can take no more runs have a summary.
 */

const FAN_OUT = 16;

export interface Span {
  readonly level: number;
  readonly index: number;
}

export const spanSize = (level: number): number => FAN_OUT ** level;

export const firstRunOf = ({ level, index }: Span): number => index * spanSize(level);

export const childrenOf = ({ level, index }: Span): Span[] =>
  Array.from({ length: FAN_OUT }, (_, child) => ({ level: level - 1, index: index * FAN_OUT + child }));

/** The spans, lowest level first, that are full once the run with this number is there. */
export const spansFilledBy = (sequence: number): Span[] => {
  const spans: Span[] = [];
  for (let level = 1; (sequence + 1) % spanSize(level) === 0; level++) {
    spans.push({ level, index: (sequence + 1) / spanSize(level) - 1 });
  }
  return spans;
};

/** The full spans, lowest level first, that hold this run when `runCount` numbers have been given. */
export const spansHolding = (sequence: number, runCount: number): Span[] => {
  const spans: Span[] = [];
  for (let level = 1; ; level++) {
    const index = Math.floor(sequence / spanSize(level));
    if ((index + 1) * spanSize(level) > runCount) return spans;
    spans.push({ level, index });
  }
};

export interface Cover {
  /** The largest full spans, oldest first. */
  readonly spans: Span[];
  /** The number of the first run after them. */
  readonly tailStart: number;
}

/** The fewest full spans that hold all of the first `runCount` runs but for a short tail. */
export const coverOf = (runCount: number): Cover => {
  const spans: Span[] = [];
  let start = 0;
  let level = 1;
  while (spanSize(level + 1) <= runCount) level++;
  for (; level >= 1; level--) {
    for (; start + spanSize(level) <= runCount; start += spanSize(level)) {
      spans.push({ level, index: start / spanSize(level) });
    }
  }
  return { spans, tailStart: start };
};
