import { formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { TestJson } from '../../history/test-json.ts';
import { LARGE_FROM_ROWS } from '../../http/large-answers.ts';
import { type JsonBytes, jsonBytes, putBytes, putNumber, putText } from '../../json-bytes.ts';
import { memoise } from '../../memoise.ts';
import type { Tally } from '../../segments/summary.ts';
import { type HistoryRun, type TestHistories, readHistories } from './test-histories.ts';

const TESTS_PER_PIECE = 200;
/** Letters and durations that are in memory at once. */
const CELLS_AT_ONCE = 4_000_000;

const OPENING = jsonBytes('[');
const BETWEEN = jsonBytes('},');
const KEYS = {
  totalRuns: jsonBytes('"totalRuns":'),
  passedRuns: jsonBytes(',"passedRuns":'),
  failedRuns: jsonBytes(',"failedRuns":'),
  skippedRuns: jsonBytes(',"skippedRuns":'),
  flakyRuns: jsonBytes(',"flakyRuns":'),
  avgDuration: jsonBytes(',"avgDuration":'),
};

/**
 * Writes the JSON of the tests in some rows of a tally, with their history in `runs`, oldest first, unless these are
 * null; as many tests at a time as there is room for their letters and durations.
 */
export async function* writeTests(
  json: JsonBytes,
  { segments, tests }: Context,
  tally: Tally,
  page: readonly number[],
  runs: readonly HistoryRun[] | null,
): AsyncGenerator<void> {
  const { ids } = tally.tests;
  const keep = page.length <= LARGE_FROM_ROWS;
  const writeTest = createTestWriter(tally);
  const testsAtOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(1, runs?.length ?? 0)));
  let before = OPENING;
  for (let start = 0; start < page.length; start += testsAtOnce) {
    const rows = page.slice(start, start + testsAtOnce);
    const histories = runs && (await readHistories(segments, runs, tally.tests, placesOf(rows, tally), rows.length));
    const writeHistory = histories && createHistoryWriter(histories);
    for (let first = 0; first < rows.length; first += TESTS_PER_PIECE) {
      const piece = rows.slice(first, first + TESTS_PER_PIECE);
      const named = await tests.findEach(
        piece.map((row) => ids[row]!),
        { keep },
      );
      for (const [at, row] of piece.entries()) {
        const test = named[at];
        if (!test) continue;
        putBytes(json, before);
        writeTest(json, row, test.json);
        writeHistory?.(json, first + at);
        before = BETWEEN;
      }
      yield;
    }
  }
  putText(json, before === OPENING ? '[]' : '}]');
}

/** Where each row of the tally is among the given ones, or -1. */
const placesOf = (rows: readonly number[], { tests: { ids } }: Tally): Int32Array => {
  const placeOf = new Int32Array(ids.length).fill(-1);
  for (const [place, row] of rows.entries()) placeOf[row] = place;
  return placeOf;
};

/** Writes a test, all but its last brace, from what is kept as JSON: projects have thousands of tests. */
const createTestWriter = ({
  columns,
  lastStatus,
}: Tally): ((json: JsonBytes, row: number, testJson: TestJson) => void) => {
  const { results, passed, failed, skipped, flaky, timed, durationSumMs, lastStart } = columns;
  const lastRunJson = memoise((time: number) => jsonBytes(`,"lastRun":"${formatTime(time)}","lastStatus":`));
  const statusJson = memoise((status: string) => jsonBytes(JSON.stringify(status)));
  return (json, row, { inList }) => {
    putBytes(json, inList);
    putBytes(json, KEYS.totalRuns);
    putNumber(json, results[row]!);
    putBytes(json, KEYS.passedRuns);
    putNumber(json, passed[row]!);
    putBytes(json, KEYS.failedRuns);
    putNumber(json, failed[row]!);
    putBytes(json, KEYS.skippedRuns);
    putNumber(json, skipped[row]!);
    putBytes(json, KEYS.flakyRuns);
    putNumber(json, flaky[row]!);
    putBytes(json, KEYS.avgDuration);
    putNumber(json, timed[row] === 0 ? NaN : Math.round(durationSumMs[row]! / timed[row]!));
    putBytes(json, lastRunJson(lastStart[row]!));
    putBytes(json, statusJson(lastStatus[row]!));
  };
};

/** Writes the fields that a history adds to a test. */
const createHistoryWriter = (histories: TestHistories): ((json: JsonBytes, place: number) => void) => {
  const timeOf = memoise(formatTime);
  return (json, place) => {
    const failure = histories.lastFailure(place);
    putText(
      json,
      `,"history":"${histories.text(place)}","p90Duration":${histories.p90DurationMs(place)},"lastFailure":`,
    );
    if (failure === null) return putText(json, 'null');
    const { run, resultId } = failure;
    putText(json, `{"testRunId":${run.id},"testCaseId":${resultId},"startTime":"${timeOf(run.start_time)}"}`);
  };
};
