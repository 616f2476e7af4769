import { type Test, formatTime, resultId } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import { writeList } from '../../http/json-pieces.ts';
import { LARGE_FROM_ROWS } from '../../http/large-answers.ts';
import { memoise } from '../../memoise.ts';
import { type Tally, type TestTally, tallyAt } from '../../segments/summary.ts';
import { readLastTags } from './last-tags.ts';
import { presentFigures } from './test-figures.ts';
import { type HistoryRun, type TestHistories, readHistories } from './test-histories.ts';

const TESTS_PER_PIECE = 200;
/** Letters and durations that are in memory at once. */
const CELLS_AT_ONCE = 4_000_000;

/**
 * Writes the tests in some rows of a tally, with their history in `runs`, oldest first, unless these are null;
 * as many tests at a time as there is room for their letters and durations. The P90 is of all these runs, the letters of
 * the latest so many.
 */
export const writeTests = (
  context: Context,
  projectId: number,
  tally: Tally,
  page: readonly number[],
  runs: readonly HistoryRun[] | null,
  letters: number,
): AsyncGenerator<string> => writeList(writePieces(presentTests(context, projectId, tally, page, runs, letters)));

async function* writePieces(pieces: AsyncGenerator<Test[]>): AsyncGenerator<string> {
  for await (const tests of pieces) yield JSON.stringify(tests);
}

/** The same as values, some tests at a time. */
export async function* presentTests(
  { queries, segments, tests, owners }: Context,
  projectId: number,
  tally: Tally,
  page: readonly number[],
  runs: readonly HistoryRun[] | null,
  letters: number,
): AsyncGenerator<Test[]> {
  const { ids } = tally.tests;
  const timeOf = memoise(formatTime);
  const ownersOf = await owners.of(projectId);
  const keep = page.length <= LARGE_FROM_ROWS;
  const testsAtOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, runs?.length ?? 0)));
  for (let start = 0; start < page.length; start += testsAtOnce) {
    const rows = page.slice(start, start + testsAtOnce);
    const histories = runs && (await readHistories(segments, runs, tally.tests, placesOf(rows, tally), rows.length));
    const tags = runs && (await readLastTags({ queries, segments }, tally, rows));
    for (let first = 0; first < rows.length; first += TESTS_PER_PIECE) {
      const piece = rows.slice(first, first + TESTS_PER_PIECE);
      const named = await tests.findEach(
        piece.map((row) => ids[row]!),
        { keep },
      );
      const listed = piece.flatMap((row, at): Test[] => {
        const test = named[at];
        if (!test) return [];
        const figures = tallyAt(tally, row);
        const presented = presentTest(figures, test, timeOf);
        if (ownersOf) presented.owners = [...ownersOf(test.file)];
        if (!histories || !tags) return [presented];
        return [
          {
            ...presented,
            tags: [...tags[first + at]!],
            ...presentHistory(histories, first + at, letters),
            lastFailure: presentLastFailure(figures, timeOf),
            totalDuration: figures.durationSumMs,
          },
        ];
      });
      yield listed;
    }
  }
}

/** Where each row of the tally is among the given ones, or -1. */
const placesOf = (rows: readonly number[], { tests: { ids } }: Tally): Int32Array => {
  const placeOf = new Int32Array(ids.length).fill(-1);
  for (const [place, row] of rows.entries()) placeOf[row] = place;
  return placeOf;
};

const presentTest = (
  tally: TestTally,
  { id, file, title, browser }: CataloguedTest,
  timeOf: typeof formatTime,
): Test => ({
  id,
  filePath: file,
  title,
  browser,
  ...presentFigures(tally),
  lastRun: timeOf(tally.lastStart),
  lastStatus: tally.lastStatus,
});

const presentHistory = (
  histories: TestHistories,
  place: number,
  letters: number,
): Required<Pick<Test, 'history' | 'p90Duration'>> => ({
  history: histories.text(place).slice(-letters),
  p90Duration: histories.p90DurationMs(place),
});

const presentLastFailure = (
  { failedStart, failedRunId, failedIndex }: TestTally,
  timeOf: typeof formatTime,
): Test['lastFailure'] =>
  Number.isNaN(failedStart)
    ? null
    : { testRunId: failedRunId, testCaseId: resultId(failedRunId, failedIndex), startTime: timeOf(failedStart) };
