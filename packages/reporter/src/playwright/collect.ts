import type { SubmittedCase } from '@assay/contract';
import { type AttachmentRules, type Chosen, attachmentsIn, createAttachmentChooser } from '@assay/import/attachments';
import type { Suite, TestCase, TestResult } from '@playwright/test/reporter';
import type { Collected } from '../delivery/collected.ts';
import { unreadableCase } from '../delivery/unreadable-case.ts';
import { attachmentsOf } from './attachments.ts';
import { buildCase } from './build-case.ts';
import { type Ending, createNotRunReader } from './not-run.ts';
import { createPrintedOutput } from './output.ts';

export interface Collector {
  printed(result: TestResult, stream: 'stdout' | 'stderr', chunk: string | Buffer): void;
  /** The case of a test that will not run again; null when it may. One that throws is told at the end. */
  ended(test: TestCase, result: TestResult): SubmittedCase | null;
  /** How many cases there are by now. */
  known(): number;
  /** All cases: those told first, in their order, then those that were held back or never ran. */
  finish(suite: Suite, ending: Ending): Collected;
}

export const createCollector = (root: string, rules: AttachmentRules): Collector => {
  const told: TestCase[] = [];
  const testCases: SubmittedCase[] = [];
  const chosen: Chosen[] = [];
  const attempts = new Map<string, number>();
  const output = createPrintedOutput();
  const chooser = createAttachmentChooser(rules);
  const notRunOf = createNotRunReader(root);

  const build = (test: TestCase, ending: Ending | null): Chosen => {
    const built = buildCase(test, root, output);
    const notRun = notRunOf(test, ending);
    if (notRun) built.notRun = notRun;
    return chooser.choose(built, chooser.wants(built) ? attachmentsOf(test) : []);
  };
  const buildOrLess = (test: TestCase, ending: Ending): Chosen => {
    try {
      return build(test, ending);
    } catch (error) {
      const testCase = unreadableCase(test.title, test.results.at(-1)?.status ?? 'skipped', error);
      return chooser.choose(testCase, []);
    }
  };
  const put = (at: number, built: Chosen): void => {
    testCases[at] = built.testCase;
    chosen[at] = built;
  };
  const add = (test: TestCase, built: Chosen): SubmittedCase => {
    put(told.push(test) - 1, built);
    attempts.set(test.id, test.results.length);
    return built.testCase;
  };

  return {
    printed: output.add,
    ended: (test, result) => (attempts.has(test.id) || mayRunAgain(test, result) ? null : add(test, build(test, null))),
    known: () => testCases.length,
    finish(suite, ending) {
      let matchesStream = true;
      for (const [at, test] of told.entries()) {
        if (attempts.get(test.id) === test.results.length) continue;
        chooser.takeBack(chosen[at]!);
        put(at, buildOrLess(test, ending));
        matchesStream = false;
      }
      for (const test of suite.allTests()) if (!attempts.has(test.id)) add(test, buildOrLess(test, ending));
      const traces = told.flatMap((test, caseIndex) => tracesOf(test).map((path) => ({ caseIndex, path })));
      return { testCases, traces, attachments: attachmentsIn(chosen), matchesStream };
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
