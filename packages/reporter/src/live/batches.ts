import type { SubmittedCase } from '@assay/contract';

/** Cases as JSON in the order they came, cut into batches that never change once they may have been sent. */
export interface Batches {
  add(testCase: SubmittedCase): void;
  /** How many cases are in no batch yet. */
  loose(): number;
  /** Makes batches of all cases that are in none. */
  cut(): void;
  count(): number;
  get(batch: number): readonly string[];
  ends(): readonly number[];
}

/** A batch stays below the megabyte that a proxy accepts at once by default, unless a single case is larger. */
const MOST_CASES = 500;
const MOST_CHARACTERS = 300_000;

/** Batches that were sent before end where they did. */
export const createBatches = (sentEnds: readonly number[] = []): Batches => {
  const cases: string[] = [];
  /** Where each batch ends. */
  const ends: number[] = [...sentEnds];
  return {
    add: (testCase) => void cases.push(JSON.stringify(testCase)),
    loose: () => cases.length - (ends.at(-1) ?? 0),
    cut() {
      let from = ends.at(-1) ?? 0;
      let characters = 0;
      for (let at = from; at < cases.length; at++) {
        const { length } = cases[at]!;
        if (at > from && (at - from >= MOST_CASES || characters + length > MOST_CHARACTERS)) {
          ends.push(at);
          from = at;
          characters = 0;
        }
        characters += length;
      }
      if (from < cases.length) ends.push(cases.length);
    },
    count: () => ends.length,
    ends: () => ends,
    get: (batch) => cases.slice(ends[batch - 1] ?? 0, ends[batch]),
  };
};
