import type { SubmittedCase } from '@assay/contract';
import { MAX_NAME_LENGTH, MAX_TAGS, MAX_TITLE_LENGTH } from '@assay/contract/limits';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { readCaptured } from '../fixtures/captured.ts';
import { relativePath } from '../repository/paths.ts';
import type { PrintedOutput } from './output.ts';
import { readSteps } from './steps.ts';
import { errorText } from './texts.ts';

const SEPARATOR = ' › ';

/**
 * One case for a test with all its attempts. The title is part of what a test is known by over the years, so its form
 * never changes: `describe › describe › title`.
 */
export const buildCase = (test: TestCase, root: string, printed: PrintedOutput): SubmittedCase => {
  const last = test.results.at(-1);
  const built: SubmittedCase = {
    ...nameOf(test, root),
    status: statusOf(test, last),
    retries: retriesOf(test),
    attempts: test.results.map((result) => attemptOf(result, printed)),
  };
  if (test.tags.length > 0) built.tags = test.tags.slice(0, MAX_TAGS).map((tag) => tag.slice(0, MAX_NAME_LENGTH));
  const annotations = annotationsOf(test, last);
  if (annotations.length > 0) built.annotations = annotations;
  if (last === undefined) return built;
  built.startTime = test.results[0]!.startTime.toISOString();
  built.duration = Math.max(0, last.duration);
  const error = caseError(test, last);
  if (error !== null) built.error = error;
  const { steps, slowest } = readSteps(last.steps);
  if (steps.length > 0) built.steps = steps;
  if (slowest !== null) {
    built.slowestStep = slowest.title;
    built.slowestStepDuration = slowest.durationMs;
  }
  return Object.assign(built, readCaptured(last.attachments));
};

/** What a test is known by, and where it stands. */
export const nameOf = (test: TestCase, root: string): { title: string; location: string; browser?: string } => {
  const browser = test.parent.project()?.name;
  const { file, line, column } = test.location;
  return {
    title: titleOf(test),
    location: `${relativePath(root, file)}:${line}:${column}`,
    ...(browser ? { browser: browser.slice(0, MAX_NAME_LENGTH) } : {}),
  };
};

const titleOf = (test: TestCase): string => {
  // Of the path the first three are the root, the project and the file.
  const title = test
    .titlePath()
    .slice(3)
    .filter((part) => part !== '')
    .join(SEPARATOR);
  return title.slice(0, MAX_TITLE_LENGTH) || 'untitled';
};

/** A test that is meant to fail passes when it does. One that never began is told as skipped. */
const statusOf = ({ expectedStatus }: TestCase, last: TestResult | undefined): string => {
  if (last === undefined || last.status === 'skipped') return 'skipped';
  if (last.status === expectedStatus) return 'passed';
  return last.status === 'passed' ? 'failed' : last.status;
};

/**
 * Retries that a test needed. One of a serial group is repeated when another of its group failed: as long as it never
 * failed itself, it is not flaky.
 */
const retriesOf = (test: TestCase): number => {
  const failed = test.results.some(({ status }) => status !== test.expectedStatus && status !== 'skipped');
  return failed ? (test.results.at(-1)?.retry ?? 0) : 0;
};

const caseError = (test: TestCase, last: TestResult): string | null => {
  if (last.status === 'passed' && test.expectedStatus === 'failed') return 'Expected to fail, but passed.';
  return last.status === test.expectedStatus ? null : errorText(last.errors);
};

const annotationsOf = (test: TestCase, last: TestResult | undefined): { type: string; description?: string }[] => {
  // Older versions know only those of the test.
  const known = (last as Partial<TestResult> | undefined)?.annotations ?? test.annotations;
  const told = known.map(({ type, description }: { type: unknown; description?: unknown }) => ({
    type: textOf(type),
    ...(description === undefined || description === null ? {} : { description: textOf(description) }),
  }));
  return last === undefined ? [...told, { type: 'did not run' }] : told;
};

/** Tests may put anything there. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'unknown'));

const attemptOf = (result: TestResult, printed: PrintedOutput): object => {
  const error = errorText(result.errors);
  const output = printed.of(result);
  return {
    retry: result.retry,
    status: result.status,
    duration: Math.max(0, result.duration),
    startTime: result.startTime.getTime(),
    // Negative where no worker ran it.
    ...(result.workerIndex < 0 ? {} : { worker: result.workerIndex, parallel: result.parallelIndex }),
    ...(error === null ? {} : { error }),
    ...(output.length === 0 ? {} : { output }),
  };
};
