import { type FlakyTest, rateFigures } from '@assay/contract';
import { readRuns } from '../../history/read-runs.ts';
import type { TestCatalogue } from '../../history/test-catalogue.ts';
import type { Position } from '../../http/page.ts';
import { lettersOf, weightOf, weights } from '../../segments/letters.ts';
import { indexAt } from '../../segments/row-indices.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { rowFor, startTestRows } from '../../segments/test-rows.ts';
import { inPieces, nextTurn } from '../../turns.ts';
import { type RecentRun, presentRunOfResult } from '../runs/run-refs.ts';

interface Place {
  readonly run: RecentRun;
  readonly index: number;
}

interface FlakyCount {
  readonly testId: number;
  flaky: number;
  ran: number;
  readonly first: Place;
  last: Place;
}

/** A page of the tests that were flaky in some runs, oldest first; the most flaky test first. */
export const findFlaky = async (
  { segments, tests }: { readonly segments: SegmentStore; readonly tests: TestCatalogue },
  runs: readonly RecentRun[],
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<{ body: FlakyTest[]; next: Position | null }> => {
  const ordered = (await countFlaky(segments, runs))
    .map((count) => ({ ...count, place: { value: flakiness(count), id: count.testId } }))
    .filter(({ place }) => after === null || comparePlaces(after, place) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place));
  const counts = ordered.slice(0, limit);
  const histories = await readLetters(
    segments,
    runs,
    counts.map(({ testId }) => testId),
  );
  const names = await tests.find(counts.map(({ testId }) => testId));
  const body = counts.flatMap(({ testId, flaky, ran, first, last }, index): FlakyTest[] => {
    const name = names.get(testId);
    if (!name) return [];
    const { rate, low, high } = rateFigures(flaky, ran);
    return [
      {
        id: testId,
        title: name.title,
        filePath: name.file,
        browser: name.browser,
        flakyRuns: flaky,
        totalRuns: ran,
        flakyRate: rate,
        rateLow: low,
        rateHigh: high,
        firstFlaky: presentRunOfResult(first.run, first.index),
        lastFlaky: presentRunOfResult(last.run, last.index),
        history: lettersOf(histories[index]!),
      },
    ];
  });
  return { body, next: ordered.length > limit ? counts.at(-1)!.place : null };
};

const MOST_FLAKY_RUNS = 1_000_000;

/** Orders by the lower end of the interval, then by how often, as one number. */
const flakiness = ({ flaky, ran }: FlakyCount): number =>
  Math.round(rateFigures(flaky, ran).low * 10) * MOST_FLAKY_RUNS + Math.min(flaky, MOST_FLAKY_RUNS - 1);

const comparePlaces = (a: Position, b: Position): number => b.value - a.value || a.id - b.id;

const countFlaky = async (segments: SegmentStore, runs: readonly RecentRun[]): Promise<FlakyCount[]> => {
  const seen = startTestRows();
  const ran: number[] = [];
  const counts = new Map<number, FlakyCount>();
  for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
    if (results === null) continue;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    let at = -1;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        at = rowFor(seen, ids[row]!, at + 1);
        if (at === ran.length) ran.push(0);
        const weight = weightOf(statuses[row]!, retries[row]!);
        if (weight !== weights.skipped) ran[at]!++;
        if (weight !== weights.flaky) continue;
        const count = counts.get(at);
        const place = { run, index: indexAt(results, row) };
        if (count) {
          count.flaky++;
          count.last = place;
        } else counts.set(at, { testId: ids[row]!, flaky: 1, ran: 0, first: place, last: place });
      }
    });
  }
  for (const [at, count] of counts) count.ran = ran[at]!;
  return [...counts.values()];
};

const readLetters = async (
  segments: SegmentStore,
  runs: readonly RecentRun[],
  testIds: readonly number[],
): Promise<Uint8Array[]> => {
  const letters = testIds.map(() => new Uint8Array(runs.length));
  const places = new Map(testIds.map((testId, index) => [testId, letters[index]!]));
  for await (const { index, results } of readRuns(segments, testIds.length > 0 ? runs : [], nextTurn)) {
    if (results === null) continue;
    const ids = results.testId.values;
    const statuses = results.status.values;
    const retries = results.retries.values;
    await inPieces(results.rows, nextTurn, ({ from, to }) => {
      for (let row = from; row < to; row++) {
        const history = places.get(ids[row]!);
        if (history) history[index] = Math.max(history[index]!, weightOf(statuses[row]!, retries[row]!));
      }
    });
  }
  return letters;
};
