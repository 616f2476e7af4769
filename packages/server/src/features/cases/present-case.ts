import { type CaseDetails, type TestCase, formatLocation, formatTime, isFlaky, resultId } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import { type Results, resultAt } from '../../segments/results.ts';
import { placeAt } from '../../segments/row-indices.ts';
import { readNotRun } from './not-run.ts';

/** Stands for a test that is gone. */
export const UNNAMED = { file: 'unknown', title: 'unknown', browser: null };

/** A result as the interface gives it, without its details. */
export const presentCase = (
  runId: number,
  row: number,
  results: Results,
  test: CataloguedTest | undefined,
): TestCase => {
  const { testId, status, durationMs, retries, line, column, error, tags, startMs, lane, failedMs, cause, notRun } =
    resultAt(results, row);
  const { file, title, browser } = test ?? UNNAMED;
  const { shard, index } = placeAt(results, row);
  const presented: TestCase = {
    id: resultId(runId, index),
    testId,
    title,
    status,
    duration: durationMs,
    location: formatLocation({ file, line, column }),
    filePath: file,
    line,
    column,
    error,
    retries,
    flaky: isFlaky(status, retries),
    browser,
    tags: [...tags],
  };
  if (startMs !== null) presented.startTime = formatTime(startMs);
  if (shard > 0) presented.shard = shard;
  if (lane !== null) presented.lane = lane;
  if (failedMs !== null) presented.failedMs = failedMs;
  if (cause !== null) presented.cause = cause;
  const why = readNotRun(notRun);
  if (why !== null) presented.notRun = why;
  return presented;
};

/** The details of a case that was sent without any. */
export const NO_DETAILS: CaseDetails = {
  steps: [],
  slowestStep: null,
  slowestStepDuration: null,
  networkRequests: [],
  webVitals: null,
  console: [],
  annotations: [],
  attempts: [],
  metadata: null,
};

/** What a case may have beyond its result. */
export const DETAIL_FIELDS = Object.keys(NO_DETAILS) as (keyof CaseDetails)[];
