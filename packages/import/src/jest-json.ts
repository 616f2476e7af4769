import { type Attempt, buildCase, isFailure } from './build-case.ts';
import type { ImportContext, Imported } from './imported.ts';
import { type Fields, fieldsOf, listOf, numberOr, takeEach, textOr, textsOf, timeOf } from './json.ts';
import { emptySpan, joinSpans } from './spans.ts';

export const isJestJson = (report: Fields): boolean =>
  Array.isArray(report['testResults']) && typeof report['numTotalTests'] === 'number';

/** What Jest and Vitest write as JSON. */
export const importJestJson = (report: Fields, { root }: ImportContext): Imported => {
  const files = listOf(report['testResults']).map(fieldsOf);
  const spans = files.map((file) => {
    const startMs = timeOf(file['startTime']);
    const endMs = timeOf(file['endTime']);
    return { startMs, durationMs: startMs === null || endMs === null ? null : Math.max(0, endMs - startMs) };
  });
  const whole = { startMs: timeOf(report['startTime']), durationMs: null };
  const span = spans.reduce(joinSpans, joinSpans(emptySpan, whole));
  const cases = files.flatMap((file) => readFile(file, root));
  const hasFailed = report['success'] === false || numberOr(report['numFailedTests'], 0) > 0;
  const isGreener = hasFailed && !cases.some(({ status }) => isFailure(status));
  return {
    cases,
    startTimeMs: span.startMs,
    durationMs: span.durationMs,
    status: isGreener ? 'failed' : report['wasInterrupted'] === true ? 'interrupted' : null,
    shard: null,
    errors: isGreener ? [FAILED_OUTSIDE] : [],
    problems: [],
  };
};

const FAILED_OUTSIDE =
  'The runner reported a failure outside of its tests, such as an unhandled error or a coverage threshold that was not met';

const readFile = (file: Fields, root: string) => {
  const path = textOr(file['name'], '');
  const tests = takeEach(file['assertionResults'], (test) => readTest(test, path, root));
  const failed = file['status'] === 'failed' && !tests.some(({ status }) => isFailure(status));
  return failed ? [...tests, fileFailure(file, path, root)] : tests;
};

/** A file that could not be loaded, or failed outside of its tests, has no test to tell it. */
const fileFailure = (file: Fields, path: string, root: string) =>
  buildCase(
    {
      titles: [path.replaceAll('\\', '/').split('/').at(-1) ?? path],
      place: { file: path },
      attempts: [{ status: 'failed', error: textOr(file['message'], '') || 'The file failed' }],
    },
    root,
  );

const readTest = (test: Fields, path: string, root: string) => {
  const location = fieldsOf(test['location']);
  const status = textOr(test['status'], 'unknown');
  const messages = textsOf(test['failureMessages']);
  const reasons = textsOf(test['retryReasons']);
  const last: Attempt = {
    status: status === 'failed' && messages.some(isTimeout) ? 'timedOut' : (STATUSES[status] ?? status),
    durationMs: numberOr(test['duration'], null),
    error: messages.join('\n\n'),
  };
  // Vitest leaves the errors of earlier attempts with a test that passed in the end.
  const earlier = status === 'passed' && reasons.length === 0 ? messages : reasons;
  return buildCase(
    {
      titles: [...textsOf(test['ancestorTitles']), textOr(test['title'], textOr(test['fullName'], ''))],
      place: { file: path, line: numberOr(location['line'], null), column: numberOr(location['column'], null) },
      attempts: [...earlier.map((error) => ({ status: 'failed', error })), last],
      retries: Math.max(earlier.length, numberOr(test['invocations'], 1) - 1),
      tags: textsOf(test['tags']),
      annotations: status === 'todo' ? [{ type: 'todo' }] : [],
    },
    root,
  );
};

const isTimeout = (message: string): boolean =>
  /^(?:Error: |thrown: ")?(?:Test timed out in|Exceeded timeout of) \d/.test(message);

const STATUSES: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
};
