import type { DurationChange, PastResult } from '@assay/contract';
import { type Look, lookOfCase } from '../status/outcome.ts';

export const RESULT_FILTERS = ['all', 'failed', 'flaky', 'passed', 'skipped'] as const;
export type ResultFilter = (typeof RESULT_FILTERS)[number];

export const lookOfResult = ({ status, retries }: PastResult): Look => lookOfCase(status, retries);

/** The results of one look; a flaky one is a passed one too. */
export const filterResults = (results: readonly PastResult[], filter: ResultFilter): readonly PastResult[] => {
  if (filter === 'all') return results;
  return results.filter((result) => {
    const look = lookOfResult(result);
    return look === filter || (filter === 'passed' && look === 'flaky');
  });
};

export const countResults = (results: readonly PastResult[]): Record<ResultFilter, number> => {
  const counts = Object.fromEntries(RESULT_FILTERS.map((filter) => [filter, 0])) as Record<ResultFilter, number>;
  for (const filter of RESULT_FILTERS) counts[filter] = filterResults(results, filter).length;
  return counts;
};

export interface DurationSeries {
  readonly look: Look;
  readonly values: readonly (number | null)[];
}

/** The durations parted by look, each with gaps where a result has another; looks that do not occur are left out. */
export const durationsByLook = (oldestFirst: readonly PastResult[]): DurationSeries[] => {
  const looks = oldestFirst.map(lookOfResult);
  return (['passed', 'flaky', 'failed', 'skipped', 'other'] as const)
    .filter((look) => looks.includes(look))
    .map((look) => ({
      look,
      values: oldestFirst.map(({ duration }, at) => (looks[at] === look ? duration : null)),
    }));
};

/** The duration that is usual at each of some results, which a step parts where it changed. */
export const usualDurations = (
  oldestFirst: readonly PastResult[],
  changes: readonly DurationChange[],
): (number | null)[] => {
  const changeAt = new Map(changes.map((change) => [change.firstAfter.id, change]));
  const firstShown = changes.findIndex(({ firstAfter }) =>
    oldestFirst.some(({ testRunId }) => testRunId === firstAfter.id),
  );
  let usual: number | null = firstShown < 0 ? (changes.at(-1)?.afterMs ?? null) : changes[firstShown]!.beforeMs;
  return oldestFirst.map(({ testRunId }) => (usual = changeAt.get(testRunId)?.afterMs ?? usual));
};
