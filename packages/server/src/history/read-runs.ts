import type { Results } from '../segments/results.ts';
import type { ReadableRun, SegmentStore } from '../segments/store.ts';
import type { Turn } from '../turns.ts';

/** Decoded results that are in memory at once, apart from the cache. */
const RESULTS_AT_ONCE = 200_000;

/**
 * The results of many runs, in the order of the runs, a few runs in memory at a time. A run that was deleted meanwhile
 * has none.
 */
export async function* readRuns<R extends ReadableRun>(
  segments: SegmentStore,
  runs: readonly R[],
  turn: Turn | undefined,
): AsyncGenerator<{ index: number; run: R; results: Results | null }> {
  let start = 0;
  while (start < runs.length) {
    let end = start;
    let count = 0;
    do count += runs[end++]!.result_count;
    while (end < runs.length && count + runs[end]!.result_count <= RESULTS_AT_ONCE);
    if (start > 0) await turn?.();
    const some = runs.slice(start, end);
    const found = await segments.results(some);
    for (const [offset, run] of some.entries()) {
      yield { index: start + offset, run, results: found.get(run.id) ?? null };
    }
    start = end;
  }
}
