import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFiles } from '../src/import-files.ts';
import { SHAPES, failed, writeAllureResults, writeLargeReport } from './large-reports.ts';
import { ROOT, linesOf, readText, withFile } from './read-sample.ts';

/** What the run comes to, with the files read as `assay upload` reads them. */
const statusOf = (content: string): Promise<string | undefined> =>
  withFile(content, async (path) => {
    const read = await importFiles([path], { root: ROOT });
    return read.ok ? read.runs[0]?.status : undefined;
  });

const goEvents = (...events: object[]): string => events.map((event) => JSON.stringify(event)).join('\n');

it.each([
  [
    'pytest: a skipped test whose teardown fails',
    `<testsuites><testsuite name="pytest" errors="1" failures="0" skipped="1" tests="1">
       <testcase classname="tests.test_cart" name="test_pays" time="0.1">
         <skipped type="pytest.skip" message="no bank"/>
         <error message="failed on teardown">RuntimeError: the bank is on fire</error>
       </testcase></testsuite></testsuites>`,
    'failed',
  ],
  [
    'JUnit: a suite that counts a failure without listing it',
    '<testsuite name="a" tests="2" failures="1"><testcase name="one"/></testsuite>',
    'failed',
  ],
  ['CTest: a failed status without an element', '<testsuite><testcase name="a" status="fail"/></testsuite>', 'failed'],
  ['TAP: cut off before the plan at its end', 'TAP version 13\nok 1 - adds up\nok 2 - pays\n', 'interrupted'],
  ['TAP: more tests than planned', '1..1\nok 1 - adds up\nok 2 - pays\n', 'interrupted'],
  [
    'Jest: a coverage threshold that is not met',
    JSON.stringify({
      numTotalTests: 1,
      success: false,
      testResults: [
        {
          name: '/home/ci/shop/a.test.js',
          status: 'passed',
          assertionResults: [{ title: 'adds up', status: 'passed' }],
        },
      ],
    }),
    'failed',
  ],
  [
    'TRX: a counter of failures without a result',
    '<TestRun><Results/><ResultSummary outcome="Completed"><Counters total="9" passed="8" failed="1"/></ResultSummary></TestRun>',
    'failed',
  ],
  [
    'NUnit: a run that passed and counts a failure',
    '<test-run result="Passed" total="2" passed="1" failed="1"><test-suite><test-case name="a" result="Passed"/></test-suite></test-run>',
    'failed',
  ],
  [
    'Robot Framework: statistics that count a failure',
    '<robot generator="Rebot 7"><suite name="A"><test name="a"><status status="PASS"/></test><status status="PASS"/></suite><statistics><total><stat pass="1" fail="1">All Tests</stat></total></statistics></robot>',
    'failed',
  ],
  [
    'CTRF: a summary that counts a failure',
    JSON.stringify({
      results: { tool: { name: 'a' }, summary: { tests: 2, failed: 1 }, tests: [{ name: 'a', status: 'passed' }] },
    }),
    'failed',
  ],
  [
    'Playwright: figures that count a failure',
    JSON.stringify({ config: { rootDir: '/' }, suites: [], errors: [], stats: { expected: 0, unexpected: 1 } }),
    'failed',
  ],
  [
    'Jest: a number of failed tests that are not listed',
    JSON.stringify({ numTotalTests: 1, numFailedTests: 1, success: true, testResults: [] }),
    'failed',
  ],
  [
    'Go 1.19: a package that does not compile',
    `${goEvents(
      { Action: 'run', Package: 'shop/cart', Test: 'TestAdd' },
      { Action: 'pass', Package: 'shop/cart', Test: 'TestAdd', Elapsed: 0.1 },
      { Action: 'pass', Package: 'shop/cart', Elapsed: 0.1 },
    )}\n# shop/bank\nbank/bank.go:3:1: undefined: money\nFAIL\tshop/bank [build failed]\n`,
    'failed',
  ],
])('%s', async (_name, content, status) => {
  expect(await statusOf(content)).toBe(status);
});

it.each(['disabled', 'notrun', 'Skipped', 'suppressed'])('a test with the status %s did not run', async (status) => {
  const report = await readText(`<testsuite><testcase name="a" status="${status}"/><testcase name="b"/></testsuite>`);
  expect(linesOf(report)).toEqual(['skipped 0 - | a', 'passed 0 - | b']);
});

it('a failing test that Node marks as to do fails nothing', async () => {
  const report = await readText(
    '<testsuites><testcase name="a" classname="test"><skipped type="todo" message="later"/><failure message="no"/></testcase></testsuites>',
  );
  expect(report.cases.map(({ status }) => status)).toEqual(['skipped']);
});

const gotestsum = (...results: readonly string[]): string =>
  `<testsuites><testsuite name="shop/cart" tests="${results.length}" failures="1">
     <properties><property name="go.version" value="go1.25.1"/></properties>
     ${results
       .map((result) => {
         const [name, failure] = result.split(' ');
         return `<testcase classname="shop/cart" name="${name}" time="0.1">${failure ? '<failure message="Failed"/>' : ''}</testcase>`;
       })
       .join('\n')}
   </testsuite></testsuites>`;

it('reruns of gotestsum are attempts of one test', async () => {
  const report = await readText(gotestsum('TestPay x', 'TestPay', 'TestAdd'));
  expect(linesOf(report)).toEqual(['passed 1 shop/cart | TestPay', 'passed 0 shop/cart | TestAdd']);
});

it('every test of go test -count stays, for each failure of it fails the run', async () => {
  const report = await readText(gotestsum('TestPay x', 'TestPay', 'TestAdd', 'TestAdd'));
  expect(report.cases.map(({ status }) => status)).toEqual(['failed', 'passed', 'passed', 'passed']);
});

it.each([
  ['a version in other letters', 'TAP Version 13\n1..1\nok 1\n'],
  ['no numbers', '1..2\nok adds up\nnot ok pays\n'],
  ['only results', 'ok\nnot ok\n'],
  ['a banner before it', '> shop@1.0.0 test\n> tape test/*.js\n\nTAP version 13\nok 1 adds up\n\n1..1\n'],
  ['output before its plan', 'Connecting to the bank\n1..1\nok 1 - adds up\n'],
])('TAP with %s is read', async (_name, content) => {
  expect((await readText(content)).format).toBe('TAP');
});

it.each([
  ['npm', '\n> shop@1.0.0 test\n> jest --json\n\n', ''],
  ['yarn', 'yarn run v1.22.22\n$ jest --json\n', 'Done in 1.20s.\n'],
])('JSON behind the banner of %s is read', async (_name, before, after) => {
  const json = JSON.stringify({ numTotalTests: 0, success: true, testResults: [] });
  expect((await readText(`${before}${json}\n${after}`)).format).toBe('Jest or Vitest JSON');
});

it.each([...Object.keys(SHAPES), 'Allure results'])(
  'each test that failed is told as failed, and so is the run: %s',
  async (format) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-greener-'));
    try {
      const isShape = Object.hasOwn(SHAPES, format);
      const path = isShape ? await writeLargeReport(format, 25, folder) : writeAllureResults(25, folder);
      const read = await importFiles([path], { root: ROOT });
      if (!read.ok) throw new Error(read.problems.join());
      const [run] = read.runs;
      expect(run!.status).toBe('failed');
      expect(read.damage).toEqual([]);
      const told = Object.fromEntries(run!.cases.map(({ title, status }) => [/\d+$/.exec(title)![0], status]));
      const expected = Array.from({ length: 25 }, (_, at) => [String(at), failed(at) ? 'failed' : 'passed']);
      expect(told).toEqual(Object.fromEntries(expected));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
