import type { Order } from './question.ts';

/** A row that may be on the page, by what it is ordered by; null where it has none. */
export interface Candidate {
  readonly value: number | null;
  readonly id: number;
}

/** Rows without a value come last, equals by their ids. */
export const comparison =
  ({ isDescending }: Order) =>
  (a: Candidate, b: Candidate): number => {
    const sign = isDescending ? -1 : 1;
    if (a.value === b.value) return sign * (a.id - b.id);
    return a.value === null ? 1 : b.value === null ? -1 : sign * (a.value - b.value);
  };
