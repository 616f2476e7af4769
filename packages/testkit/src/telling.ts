import { runFigures } from '@assay/contract';
import type { Submission, SubmittedCase } from '@assay/contract';
import { attemptsOf, interruptedAttempts, skippedAttempts } from './behaviour.ts';
import type { Attempt, Weather } from './behaviour.ts';
import { buildCatalogue, lineShift, testAt } from './catalogue.ts';
import type { Test } from './catalogue.ts';
import { createCircumstances } from './circumstances.ts';
import type { Plan } from './circumstances.ts';
import { ciLinkAt } from './commits.ts';
import { BETWEEN_ATTEMPTS_MS, detailsOf } from './details.ts';
import { errorText } from './errors.ts';
import type { Random } from './random.ts';
import { kebab } from './tokens.ts';

const START_UP_MS = 2_000;

/** Tells run n of a project as it would have been sent. */
export const createTeller = (plan: Plan): ((n: number, startTime: number) => Submission) => {
  const { root, projectName } = plan;
  const catalogue = buildCatalogue(root, plan);
  const circumstancesOf = createCircumstances(plan, catalogue);
  const repository = kebab(projectName) || 'project';
  const workers = Math.min(64, Math.max(2, Math.ceil(plan.tests / 40)));

  return (n, startTime) => {
    if (!Number.isSafeInteger(n) || n < 0) throw new RangeError('A run is numbered 0, 1, 2, …');
    const { commit, weather, interruptedAfter } = circumstancesOf(n);
    const tests = catalogue.slots.flatMap((slot) => testAt(slot, n) ?? []);
    const lastFinished = interruptedAfter === null ? tests.length : Math.floor(tests.length * interruptedAfter);
    const shifts = catalogue.files.map((file) => lineShift(file, n));

    /** When each of them is free, in milliseconds after the run's start. */
    const freeAt = Array.from({ length: workers }, () => START_UP_MS);
    const testCases = tests.map((test, position) => {
      const random = test.random.fork(n);
      const attempts = attemptsIn(test, random, weather, position - lastFinished, workers);
      const line = test.line + shifts[test.file.index]!;
      const lane = freeAt.indexOf(Math.min(...freeAt));
      const beganAt = startTime + freeAt[lane]!;
      for (const { status, durationMs } of attempts) {
        if (status !== 'skipped') freeAt[lane]! += durationMs + BETWEEN_ATTEMPTS_MS;
      }
      return buildCase(plan, repository, test, random, attempts, line, { lane, startTime: beganAt });
    });

    const { totalTests, passedTests, failedTests, skippedTests } = runFigures(testCases);
    const overheadMs = root.fork('overhead').fork(n).integer(500, 7_000);
    return {
      projectName,
      status: failedTests > 0 ? 'failed' : 'passed',
      startTime: new Date(startTime).toISOString(),
      duration: Math.max(...freeAt) + overheadMs,
      totalTests,
      passedTests,
      failedTests,
      skippedTests,
      branch: commit.branch,
      commit: commit.commit,
      metadata: { scm: commit, ci: ciLinkAt(root, n, repository) },
      testCases,
    };
  };
};

/** What runs when a run is cancelled is interrupted, what would have followed is skipped. */
const attemptsIn = (
  test: Test,
  random: Random,
  weather: Weather,
  afterCancelling: number,
  workers: number,
): readonly Attempt[] => {
  if (afterCancelling < 0) return attemptsOf(test, random, weather);
  return afterCancelling < workers ? interruptedAttempts(test, random, weather) : skippedAttempts();
};

const buildCase = (
  { root, domain, details }: Plan,
  repository: string,
  test: Test,
  random: Random,
  attempts: readonly Attempt[],
  line: number,
  { lane, startTime }: { readonly lane: number; readonly startTime: number },
): SubmittedCase => {
  const { status, durationMs } = attempts.at(-1)!;
  const { path } = test.file;
  const errors = attempts.map(({ failure }, retry) =>
    failure === null
      ? undefined
      : errorText({ root, domain, repository }, test, line, failure, random.fork(`error-${retry}`)),
  );
  const testCase: SubmittedCase = {
    title: test.title,
    status,
    duration: durationMs,
    location: domain.framework === 'junit' ? `${path}:${line}` : `${path}:${line}:${test.column}`,
    retries: attempts.length - 1,
  };
  const error = errors.at(-1);
  if (error !== undefined) testCase.error = error;
  if (test.browser !== null) testCase.browser = test.browser;
  if (test.traits.tags.length > 0) testCase.tags = [...test.traits.tags];
  if (details === 'none') return testCase;
  return {
    ...testCase,
    startTime: new Date(startTime).toISOString(),
    lane,
    ...detailsOf(random.fork('details'), { domain, repository, test, attempts, errors, startTime }),
  };
};
