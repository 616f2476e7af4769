import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFiles } from '../src/import-files.ts';
import { ROOT, SAMPLES } from './read-sample.ts';

/** What a runner says of its own run at the end of its report. */
interface Summary {
  readonly total?: number;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
}

/** The attributes of the first element with a name, by no reader of ours. */
const attributesOf = (text: string, element: string): Record<string, number> => {
  const [, attributes = ''] = new RegExp(`<${element}\\s([^>]*)>`).exec(text) ?? [];
  return Object.fromEntries(
    [...attributes.matchAll(/([\w-]+)="(\d+)"/g)].map(([, name, value]) => [name!, Number(value)]),
  );
};

const junit = (text: string, element = 'testsuites'): Summary => {
  const { tests, failures = 0, errors = 0, skipped } = attributesOf(text, element);
  return { total: tests!, failed: failures + errors, ...(skipped === undefined ? {} : { skipped }) };
};

/** Lines such as `# pass 3`, also in comments. */
const linesAtEnd = (text: string): Summary => {
  const count = (name: string): number => Number(new RegExp(`(?:#|<!--) ${name} (\\d+)`).exec(text)![1]);
  return {
    total: count('tests'),
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
};

const json = (text: string): Record<string, Record<string, number>> => JSON.parse(text) as never;

interface JestReport extends Readonly<Record<`num${'Total' | 'Passed' | 'Failed' | 'Pending' | 'Todo'}Tests`, number>> {
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** A file that cannot be loaded is no test for them. */
const jest = (text: string): Summary => {
  const report = JSON.parse(text) as JestReport;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  return {
    total: report.numTotalTests + broken,
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
  };
};

const mocha = (text: string): Summary => {
  // For mochawesome a hook that failed is neither a test nor a failure, and tests that it kept from running are told.
  const { passes, pending, failures, other = 0, skipped = 0 } = json(text)['stats']!;
  return { passed: passes!, failed: failures! + other, skipped: pending! + skipped };
};

const counted = (element: string, text: string): Summary => {
  const { total, passed, failed, skipped } = attributesOf(text, element);
  return { total: total!, passed: passed!, failed: failed!, skipped: skipped! };
};

const SUMMARIES: Readonly<Record<string, (text: string) => Summary>> = {
  // A test that it could not start counts as skipped in its attributes, but as failed at the end of what it prints.
  'junit-ctest.xml': (text) => {
    const { total, failed, skipped } = junit(text, 'testsuite');
    return { total: total!, failed: failed! + 1, skipped: skipped! - 1 + attributesOf(text, 'testsuite')['disabled']! };
  },
  'junit-bazel.xml': (text) => junit(text, 'testsuite'),
  // jest-junit counts no test that is to be written, but lists it.
  'junit-jest.xml': (text) => ({ ...junit(text, 'testsuite'), total: 5 }),
  'junit-nextest.xml': junit,
  // Here a test with subtests is a suite.
  'junit-node.xml': (text) => {
    const { total, failed, ...summary } = linesAtEnd(text);
    return { ...summary, total: total! - 1, failed: failed! - 1 };
  },
  'junit-playwright.xml': junit,
  'junit-pytest.xml': (text) => junit(text, 'testsuite'),
  'junit-surefire.xml': (text) => junit(text, 'testsuite'),
  'junit-vitest.xml': junit,
  'tap-node.tap': linesAtEnd,
  'jest.json': jest,
  'vitest.json': jest,
  'mocha.json': mocha,
  'mochawesome.json': mocha,
  'playwright.json': (text) => {
    const { expected, unexpected, flaky, skipped } = json(text)['stats']!;
    return { passed: expected! + flaky!, failed: unexpected!, skipped: skipped! };
  },
  'rspec.json': (text) => {
    const { example_count, failure_count, pending_count } = json(text)['summary']!;
    return { total: example_count!, failed: failure_count!, skipped: pending_count! };
  },
  'ctrf.json': (text) => {
    const { tests, passed, failed, skipped, pending } = (
      JSON.parse(text) as { results: { summary: Record<string, number> } }
    ).results.summary;
    return { total: tests!, passed: passed!, failed: failed!, skipped: skipped! + pending! };
  },
  'trx.trx': (text) => {
    const { total, passed, failed, error = 0, timeout = 0, aborted = 0 } = attributesOf(text, 'Counters');
    return { total: total!, passed: passed!, failed: failed! + error + timeout + aborted };
  },
  'nunit.xml': (text) => counted('test-run', text),
  'xunit-net.xml': (text) => counted('assembly', text),
  'robot.xml': (text) => {
    const { pass, fail, skip } = attributesOf(text, 'stat');
    return { passed: pass!, failed: fail!, skipped: skip! };
  },
  'testng/testng-results.xml': (text) => {
    // A try that failed and was tried again counts as skipped.
    const { passed, failed } = attributesOf(text, 'testng-results');
    return { passed: passed!, failed: failed! };
  },
};

it.each(Object.entries(SUMMARIES))('%s comes to what its runner says at the end', async (name, summaryOf) => {
  const read = await importFiles([join(SAMPLES, name)], { root: ROOT });
  if (!read.ok) throw new Error(read.problems.join());
  const cases = read.runs.flatMap((run) => run.cases);
  const count = (...statuses: string[]): number => cases.filter(({ status }) => statuses.includes(status)).length;
  expect({
    total: cases.length,
    passed: count('passed'),
    failed: count('failed', 'timedOut', 'interrupted'),
    skipped: count('skipped'),
  }).toMatchObject(summaryOf(readFileSync(join(SAMPLES, name), 'utf8')));
});
