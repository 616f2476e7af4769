import type { SubmittedNotRun } from '@assay/contract';
import type {
  FullConfig,
  FullResult,
  FullProject,
  Suite,
  TestCase,
  TestResult,
  TestStep,
} from '@playwright/test/reporter';
import { nameOf } from './build-case.ts';

/** How a run came to its end, once it has. */
export interface Ending {
  readonly status: FullResult['status'];
  readonly maxFailures: FullConfig['maxFailures'];
}

export type NotRunReader = (test: TestCase, ending: Ending | null) => SubmittedNotRun | undefined;

/**
 * Why a test that was to run did not, as far as Playwright shows it: it tells neither of a serial group nor of a hook
 * why the tests behind are skipped, only that no worker ran them.
 */
export const createNotRunReader = (root: string): NotRunReader => {
  const failedIn = new Map<string, TestCase | null>();
  let isFull: boolean | null = null;

  /** The first test that failed in the projects that a project depends on. */
  const failedDependency = (project: FullProject | undefined, suites: readonly Suite[]): TestCase | null => {
    for (const name of project?.dependencies ?? []) {
      if (!failedIn.has(name)) {
        // Projects may not depend on each other in a circle; one that does is asked once.
        failedIn.set(name, null);
        const suite = suites.find((one) => one.project()?.name === name);
        const failed = suite?.allTests().find(hasFailed) ?? failedDependency(suite?.project(), suites);
        failedIn.set(name, failed);
      }
      const failed = failedIn.get(name);
      if (failed) return failed;
    }
    return null;
  };
  const becauseOf = (reason: SubmittedNotRun['reason'], failed: TestCase): SubmittedNotRun => ({
    reason,
    ...nameOf(failed, root),
  });

  return (test, ending) => {
    const last = test.results.at(-1);
    if (test.expectedStatus === 'skipped') return undefined;
    if (last !== undefined) {
      if (last.status !== 'skipped' || last.workerIndex >= 0) return undefined;
      const found = failedBefore(test);
      return found ? becauseOf(found.reason, found.failed) : { reason: 'unknown' };
    }
    const top = topOf(test);
    const failed = failedDependency(test.parent.project(), top.suites);
    if (failed) return becauseOf('dependency', failed);
    if (ending?.status === 'interrupted') return { reason: 'interrupted' };
    if (ending?.status === 'timedout') return { reason: 'timeout' };
    const most = ending?.maxFailures ?? 0;
    isFull ??= most > 0 && top.allTests().filter(hasFailed).length >= most;
    return { reason: isFull ? 'maxFailures' : 'unknown' };
  };
};

const topOf = (test: TestCase): Suite => {
  let suite = test.parent;
  while (suite.parent) suite = suite.parent;
  return suite;
};

const hasFailed = ({ results, expectedStatus }: TestCase): boolean => {
  const status = results.at(-1)?.status;
  return status !== undefined && status !== 'skipped' && status !== expectedStatus;
};

/** The test before one, in its nearest group that has any, which failed and took the others with it. */
const failedBefore = (test: TestCase): { reason: 'beforeAll' | 'serial'; failed: TestCase } | null => {
  for (let suite: Suite | undefined = test.parent; suite; suite = suite.parent) {
    if (suite.type !== 'describe' && suite.type !== 'file') return null;
    const tests = suite.allTests();
    const failed = tests.slice(0, tests.indexOf(test)).filter(hasFailed);
    const byHook = failed.findLast(({ results }) => results.at(-1)!.steps.some(isFailedHook));
    if (byHook) return { reason: 'beforeAll', failed: byHook };
    const inSeries = isSerial(suite);
    const inSerial = failed.find((one) => inSeries || saysSerial(one.results.at(-1)!));
    if (inSerial) return { reason: 'serial', failed: inSerial };
  }
  return null;
};

const isFailedHook = ({ category, title, error, steps }: TestStep): boolean =>
  category === 'hook' && ((title.startsWith('beforeAll') && error !== undefined) || steps.some(isFailedHook));

/** Playwright keeps it here, and newer versions tell it in annotations. */
const isSerial = (suite: Suite): boolean => (suite as { _parallelMode?: unknown })._parallelMode === 'serial';

const saysSerial = (result: TestResult): boolean =>
  ((result as Partial<TestResult>).annotations ?? []).some(({ type }) => type === 'serial');
