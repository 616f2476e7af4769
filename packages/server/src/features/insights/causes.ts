import { type Cause, LONGEST_CAUSE_SAMPLE, MOST_CAUSES, errorCause, errorPlace } from '@assay/contract';
import { LRUCache } from 'lru-cache';
import { cutText } from '../../cut-text.ts';
import { readRuns } from '../../history/read-runs.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { type RecentRun, presentRunOfResult } from '../runs/run-refs.ts';

interface Place {
  readonly run: RecentRun;
  readonly index: number;
}

interface CauseCount {
  readonly message: string;
  count: number;
  readonly tests: Set<number>;
  /** The numbers of the runs that have it, ascending. */
  readonly runs: number[];
  readonly first: Place;
  last: Place;
  sample: string;
}

/** Texts of errors repeat from run to run, and reading one takes longer than finding it here. */
const MOST_KNOWN_CHARACTERS = 8_000_000;
const known = new LRUCache<string, string>({
  maxSize: MOST_KNOWN_CHARACTERS,
  sizeCalculation: (cause, error) => cause.length + error.length + 1,
});

const causeOf = (error: string): string => {
  let cause = known.get(error);
  if (cause === undefined) known.set(error, (cause = errorCause(error)));
  return cause;
};

/** Why results failed in some runs, oldest first; the most frequent cause first, then the latest. */
export const findCauses = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  q: string | undefined,
): Promise<Cause[]> => {
  const counts = new Map<string, CauseCount>();
  for await (const { index, run, results } of readRuns(segments, runs, nextTurn)) {
    if (results) await addRun(counts, { number: index, run, results, wanted: q?.toLowerCase() ?? null });
  }
  return [...counts.values()]
    .sort((a, b) => b.count - a.count || b.last.run.start_time - a.last.run.start_time)
    .slice(0, MOST_CAUSES)
    .map((count) => presentCause(count, runs.length));
};

interface CountedRun {
  readonly number: number;
  readonly run: RecentRun;
  readonly results: Results;
  /** In lower case. */
  readonly wanted: string | null;
}

const addRun = async (counts: Map<string, CauseCount>, { number, run, results, wanted }: CountedRun): Promise<void> => {
  const statuses = results.status.values;
  const retries = results.retries.values;
  const errors = results.error.values;
  const tests = results.testId.values;
  await results.strings.prepare();
  await inPieces(results.rows, nextTurn, ({ from, to }) => {
    for (let row = from; row < to; row++) {
      const error = errors[row]!;
      if (error !== error || weightOf(statuses[row]!, retries[row]!) !== weights.failed) continue;
      const text = results.strings.at(error);
      if (wanted !== null && !text.toLowerCase().includes(wanted)) continue;
      const message = causeOf(text);
      const place = { run, index: indexAt(results, row) };
      const count = counts.get(message);
      if (!count) {
        const ids = new Set([tests[row]!]);
        counts.set(message, { message, count: 1, tests: ids, runs: [number], first: place, last: place, sample: text });
        continue;
      }
      count.count++;
      count.tests.add(tests[row]!);
      if (count.runs.at(-1) !== number) count.runs.push(number);
      count.last = place;
      count.sample = text;
    }
  });
};

const presentCause = (count: CauseCount, runs: number): Cause => {
  const lastRun = count.runs.at(-1)!;
  const has = new Set(count.runs);
  return {
    message: count.message,
    place: errorPlace(count.sample),
    count: count.count,
    tests: count.tests.size,
    runs: count.runs.length,
    firstSeen: presentRunOfResult(count.first.run, count.first.index),
    lastSeen: presentRunOfResult(count.last.run, count.last.index),
    isNew: runs > 1 && count.runs[0] === runs - 1,
    runsWithout: runs - 1 - lastRun,
    history: Array.from({ length: runs }, (_, number) => (has.has(number) ? 'F' : 'P')).join(''),
    sample: cutText(count.sample, LONGEST_CAUSE_SAMPLE),
  };
};
