import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { SubmittedCase } from '@assay/contract';
import { type Attempt, type Attempts, buildCase } from '@assay/import/case';
import type { JestAssertion, JestFileResult } from './types.ts';

/** The cases of a file, and one for the file itself where something went wrong in it outside of all tests. */
export const casesOf = (
  file: JestFileResult,
  project: string | undefined,
  tries: ErrorsOfTries | undefined,
  root: string,
): SubmittedCase[] => {
  const cases = file.testResults.map((assertion) => caseOf(assertion, file, project, tries, root));
  return hasFailedItself(file) ? [...cases, failureOf(file, project, root)] : cases;
};

const caseOf = (
  test: JestAssertion,
  { testFilePath }: JestFileResult,
  project: string | undefined,
  tries: ErrorsOfTries | undefined,
  root: string,
): SubmittedCase => {
  const built = buildCase(
    {
      titles: [...test.ancestorTitles, test.title],
      place: { file: testFilePath, line: test.location?.line, column: test.location?.column },
      browser: project,
      attempts: attemptsOf(test, tries?.get(keyOf(test)) ?? []),
      ...(test.status === 'todo' ? { annotations: [{ type: 'todo' }] } : {}),
    },
    root,
  );
  return typeof test.startAt === 'number' ? { ...built, startTime: new Date(test.startAt).toISOString() } : built;
};

/** The errors of each try of the tests of a file that failed, in their order. */
export type ErrorsOfTries = Map<string, string[]>;

/** Jest tells of each try of a test, but keeps the errors of the last one alone unless it is told to log them. */
export const addTry = (tries: ErrorsOfTries, test: JestAssertion): void => {
  if (test.status !== 'failed') return;
  const key = keyOf(test);
  tries.set(key, [...(tries.get(key) ?? []), errorOf(test)]);
};

const keyOf = ({ ancestorTitles, title }: JestAssertion): string => JSON.stringify([...ancestorTitles, title]);

const errorOf = ({ failureMessages }: JestAssertion): string => (failureMessages ?? []).join('\n\n');

const attemptsOf = (test: JestAssertion, errors: readonly string[]): Attempts => {
  const error = errorOf(test);
  const earlier = Math.max(0, (test.invocations ?? 1) - 1);
  return [
    ...Array.from({ length: earlier }, (_, at): Attempt => ({ status: 'failed', error: errors[at] })),
    { status: statusOf(test, error), durationMs: test.duration, error: error === '' ? undefined : error },
  ];
};

const STATUSES: Readonly<Record<string, string>> = {
  passed: 'passed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
};

const statusOf = ({ status }: JestAssertion, error: string): string =>
  STATUSES[status] ?? (/Exceeded timeout of \d+ ms for a (?:test|hook)/.test(error) ? 'timedOut' : 'failed');

const hasFailedItself = ({ testExecError, failureMessage, numFailingTests, testResults }: JestFileResult): boolean =>
  testExecError !== undefined || (Boolean(failureMessage) && numFailingTests === 0 && testResults.length === 0);

const failureOf = (
  { testFilePath, testExecError, failureMessage }: JestFileResult,
  project: string | undefined,
  root: string,
): SubmittedCase => {
  const error = failureMessage ?? testExecError?.stack ?? testExecError?.message ?? 'The file failed';
  return buildCase(
    {
      titles: [basename(testFilePath)],
      place: { file: testFilePath },
      browser: project,
      attempts: [{ status: 'failed', error: stripVTControlCharacters(error) }],
    },
    root,
  );
};
