import {
  type Cause,
  type CauseTests,
  type Causes,
  LONGEST_CAUSE_SAMPLE,
  MOST_CAUSE_TESTS,
  MOST_CAUSE_TEST_RESULTS,
  MOST_CAUSES,
  MOST_COUNTED_CAUSES,
  errorPlace,
} from '@assay/contract';
import { cutText } from '../../cut-text.ts';
import { readRuns } from '../../history/read-runs.ts';
import type { TestCatalogue } from '../../history/test-catalogue.ts';
import { indexAt } from '../../segments/row-indices.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { nextTurn } from '../../turns.ts';
import { type RecentRun, presentRunOfResult } from '../runs/run-refs.ts';
import { causeOf, readCauses, readErrors } from './read-errors.ts';

interface Place {
  readonly run: RecentRun;
  readonly index: number;
}

interface CauseCount {
  readonly message: string;
  count: number;
  readonly tests: Set<number>;
  /** The numbers of the runs that have it, descending. */
  readonly runs: number[];
  first: Place;
  readonly last: Place;
  readonly place: string | null;
  readonly sample: string;
}

/** Why results failed in some runs; the most frequent cause first, then the latest. */
export const findCauses = async (
  segments: SegmentStore,
  newestFirst: readonly RecentRun[],
  q: string | undefined,
): Promise<Causes> => {
  const wanted = q?.toLowerCase();
  const counts = new Map<string, CauseCount>();
  let uncountedFailures = 0;
  // From the newest run on: of too many causes, those that happen now are counted.
  for await (const { index: number, run, results } of readRuns(segments, newestFirst, nextTurn)) {
    if (!results) continue;
    const placeOf = (row: number): Place => ({ run, index: indexAt(results, row) });
    const countOf = (message: string, row: number): CauseCount | 'uncounted' => {
      const known = counts.get(message);
      if (known) return known;
      if (counts.size >= MOST_COUNTED_CAUSES) return 'uncounted';
      const count = startCount(message, results.strings.at(results.error.at(row)), placeOf(row));
      counts.set(message, count);
      return count;
    };
    const add = (row: number, count: CauseCount | 'uncounted'): void => {
      if (count === 'uncounted') {
        uncountedFailures++;
        return;
      }
      count.count++;
      count.tests.add(results.testId.values[row]!);
      if (count.runs.at(-1) === number) return;
      count.runs.push(number);
      count.first = placeOf(row);
    };
    if (wanted === undefined) await readCauses(results, countOf, add);
    else {
      const hasWanted = (error: string): boolean => error.toLowerCase().includes(wanted);
      await readErrors(results, (error, row) => (hasWanted(error) ? countOf(causeOf(error), row) : null), add);
    }
  }
  // Sorting keeps the order of equals, and the causes are in the order of their latest run.
  const causes = [...counts.values()].sort((a, b) => b.count - a.count);
  return {
    causes: causes.slice(0, MOST_CAUSES).map((count) => presentCause(count, newestFirst.length)),
    totalCauses: causes.length,
    uncountedFailures,
  };
};

const startCount = (message: string, error: string, place: Place): CauseCount => ({
  message,
  count: 0,
  tests: new Set(),
  runs: [],
  first: place,
  last: place,
  place: errorPlace(error),
  sample: copyOf(cutText(error, LONGEST_CAUSE_SAMPLE)),
});

/** A part of a string keeps all of it in memory. */
const copyOf = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

const presentCause = ({ message, place, count, tests, runs, first, last, sample }: CauseCount, all: number): Cause => {
  const has = new Set(runs);
  return {
    message,
    place,
    count,
    tests: tests.size,
    runs: runs.length,
    firstSeen: presentRunOfResult(first.run, first.index),
    lastSeen: presentRunOfResult(last.run, last.index),
    isNew: all > 1 && runs.at(-1) === 0,
    runsWithout: runs[0]!,
    history: Array.from({ length: all }, (_, number) => (has.has(all - 1 - number) ? 'F' : 'P')).join(''),
    sample,
  };
};

interface TestCount {
  failures: number;
  /** Of the latest runs, newest first. */
  readonly places: Place[];
}

/** The results of some runs that failed with one of some causes; the test with the most of them first. */
export const findCauseTests = async (
  { segments, tests }: { readonly segments: SegmentStore; readonly tests: TestCatalogue },
  newestFirst: readonly RecentRun[],
  causes: ReadonlySet<string>,
): Promise<CauseTests> => {
  const counts = new Map<number, TestCount>();
  for await (const { run, results } of readRuns(segments, newestFirst, nextTurn)) {
    if (!results) continue;
    await readCauses(
      results,
      (message) => (causes.has(message) ? 'wanted' : null),
      (row) => {
        const testId = results.testId.values[row]!;
        const count = counts.get(testId) ?? { failures: 0, places: [] };
        counts.set(testId, count);
        count.failures++;
        if (count.places.length < MOST_CAUSE_TEST_RESULTS) count.places.push({ run, index: indexAt(results, row) });
      },
    );
  }
  const ordered = [...counts].sort(([id, a], [otherId, b]) => b.failures - a.failures || id - otherId);
  const listed = ordered.slice(0, MOST_CAUSE_TESTS);
  const names = await tests.find(listed.map(([id]) => id));
  return {
    tests: listed.flatMap(([id, { failures, places }]) => {
      const name = names.get(id);
      const results = places.map(({ run, index }) => presentRunOfResult(run, index));
      return name ? { id, title: name.title, filePath: name.file, browser: name.browser, failures, results } : [];
    }),
    totalTests: ordered.length,
    totalFailures: ordered.reduce((sum, [, { failures }]) => sum + failures, 0),
  };
};
