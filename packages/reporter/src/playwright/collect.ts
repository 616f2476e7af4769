import type { SubmittedCase } from '@assay/contract';
import type { Suite, TestCase, TestResult } from '@playwright/test/reporter';
import type { Collected } from '../delivery/collected.ts';
import { unreadableCase } from '../delivery/unreadable-case.ts';
import { buildCase } from './build-case.ts';

export interface Collector {
  /** The case of a test that will not run again; null when it may. One that throws is told at the end. */
  ended(test: TestCase, result: TestResult): SubmittedCase | null;
  /** How many cases there are by now. */
  known(): number;
  /** All cases: those told first, in their order, then those that were held back or never ran. */
  finish(suite: Suite): Collected;
}

const buildCaseOrLess = (test: TestCase, root: string): SubmittedCase => {
  try {
    return buildCase(test, root);
  } catch (error) {
    return unreadableCase(test.title, test.results.at(-1)?.status ?? 'skipped', error);
  }
};

export const createCollector = (root: string): Collector => {
  const told: TestCase[] = [];
  const testCases: SubmittedCase[] = [];
  const attempts = new Map<string, number>();

  const add = (test: TestCase, built: SubmittedCase): SubmittedCase => {
    told.push(test);
    testCases.push(built);
    attempts.set(test.id, test.results.length);
    return built;
  };

  return {
    ended: (test, result) =>
      attempts.has(test.id) || mayRunAgain(test, result) ? null : add(test, buildCase(test, root)),
    known: () => testCases.length,
    finish(suite) {
      let matchesStream = true;
      for (const [at, test] of told.entries()) {
        if (attempts.get(test.id) === test.results.length) continue;
        testCases[at] = buildCaseOrLess(test, root);
        matchesStream = false;
      }
      for (const test of suite.allTests()) if (!attempts.has(test.id)) add(test, buildCaseOrLess(test, root));
      const traces = told.flatMap((test, caseIndex) => tracesOf(test).map((path) => ({ caseIndex, path })));
      return { testCases, traces, matchesStream };
    },
  };
};

const tracesOf = (test: TestCase): string[] =>
  test.results.flatMap(({ attachments }) =>
    attachments.flatMap(({ name, path }) => (name === 'trace' && path ? [path] : [])),
  );

const mayRunAgain = (test: TestCase, { status, retry }: TestResult): boolean => {
  if (retry >= test.retries) return false;
  if (isInSerialGroup(test)) return true;
  return status !== test.expectedStatus && status !== 'skipped' && status !== 'interrupted';
};

/** A group that runs in series is repeated as a whole. Playwright does not tell which are; where it no longer keeps it
 * here, a case that was told too early is noticed at the end. */
const isInSerialGroup = (test: TestCase): boolean => {
  for (let suite: Suite | undefined = test.parent; suite; suite = suite.parent) {
    if ((suite as { _parallelMode?: unknown })._parallelMode === 'serial') return true;
  }
  return false;
};
