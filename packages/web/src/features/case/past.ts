import { type PastResult, outcomeOf } from '@assay/contract';

export interface Past {
  readonly older: PastResult | null;
  readonly newer: PastResult | null;
  /** Of those before this one. */
  readonly lastPassed: PastResult | null;
  readonly lastFailed: PastResult | null;
  /** When this one failed: the first of the failures in a row, and how many they are. */
  readonly failingSince: { readonly first: PastResult; readonly count: number; readonly beyond: boolean } | null;
}

/** What the results of a test, newest first, say around one of them; `complete` when there are no older ones. */
export const pastOf = (history: readonly PastResult[], id: number, complete: boolean): Past => {
  const at = history.findIndex((result) => result.id === id);
  if (at === -1) return { older: null, newer: null, lastPassed: null, lastFailed: null, failingSince: null };
  const before = history.slice(at + 1);
  return {
    older: before[0] ?? null,
    newer: history[at - 1] ?? null,
    lastPassed: before.find(({ status }) => outcomeOf(status) === 'passed') ?? null,
    lastFailed: before.find(({ status }) => outcomeOf(status) === 'failed') ?? null,
    failingSince: failingSince(history.slice(at), complete),
  };
};

/** The results on either side of one of them. */
export const resultsAround = (results: readonly PastResult[], id: number, count: number): readonly PastResult[] => {
  const at = results.findIndex((result) => result.id === id);
  const from = Math.max(0, Math.min(at - Math.floor(count / 2), results.length - count));
  return results.slice(from, from + count);
};

/** Results that neither passed nor failed do not break the row. */
const failingSince = (results: readonly PastResult[], complete: boolean): Past['failingSince'] => {
  let first: PastResult | null = null;
  let count = 0;
  for (const result of results) {
    const outcome = outcomeOf(result.status);
    if (outcome === 'passed') return first && { first, count, beyond: false };
    if (outcome === 'failed') {
      first = result;
      count++;
    } else if (first === null) return null;
  }
  return first && { first, count, beyond: !complete };
};
