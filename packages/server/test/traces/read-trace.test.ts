import type { SubmittedStep } from '@assay/contract';
import { beforeAll, expect, inject, test } from 'vitest';
import { readTrace, type TraceContents } from '../../src/traces/read-trace.ts';
import { makePlaywrightReports, PLAYWRIGHT_REPORTS_TIMEOUT_MS, type PlaywrightReports } from '../playwright-reports.ts';
import { checkReading, newFolder, readTraceEntries, writeZip } from './trace-zip.ts';

let reports: PlaywrightReports;
beforeAll(async () => {
  reports = await makePlaywrightReports(inject('chromium'));
}, PLAYWRIGHT_REPORTS_TIMEOUT_MS);

const fileOf = (title: string): string => reports.traces.find((trace) => trace.title === title)!.file;

const contentsOf = async (file: string): Promise<TraceContents> => {
  const reading = await readTrace(file);
  checkReading(reading);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.contents;
};

interface Outline {
  title: string;
  category: unknown;
  steps: Outline[];
}

const outline = (steps: readonly SubmittedStep[]): Outline[] =>
  steps.map((step) => ({ title: step.title, category: step.category, steps: outline(step.steps ?? []) }));

const allSteps = (steps: readonly SubmittedStep[]): SubmittedStep[] =>
  steps.flatMap((step) => [step, ...allSteps(step.steps ?? [])]);

const pathAndStatus = ({ requests }: TraceContents): string[] =>
  requests
    .map(({ method, url, status, resourceType }) => `${method} ${new URL(url).pathname} ${status} ${resourceType}`)
    .filter((line) => !line.includes('favicon'));

test('the requests of a page are told with type and status, in the order in which they began', async () => {
  expect(pathAndStatus(await contentsOf(fileOf('shows the name of the user')))).toEqual([
    'GET / 200 document',
    'GET /images/logo.gif 200 image',
    'GET /api/users/123 200 fetch',
  ]);
  expect(pathAndStatus(await contentsOf(fileOf('a page that fails says so in its console')))).toEqual([
    'GET /broken 200 document',
    'POST /api/orders 500 xhr',
  ]);
});

test('steps are nested as the test has them, without what was typed', async () => {
  const { steps } = await contentsOf(fileOf('shows the name of the user'));
  const [before, signIn, expectation, after] = outline(steps);
  expect([before?.title, after?.title]).toEqual(['Before Hooks', 'After Hooks']);
  expect(before?.steps[0]).toMatchObject({ title: 'beforeEach hook', category: 'hook' });
  expect(before?.steps[0]?.steps.at(-1)).toEqual({ title: 'Navigate /', category: 'pw:api', steps: [] });
  expect(signIn).toEqual({
    title: 'sign in',
    category: 'test.step',
    steps: [
      { title: 'Fill "…" getByLabel(\'Password\')', category: 'pw:api', steps: [] },
      {
        title: 'load the user',
        category: 'test.step',
        steps: [{ title: "Click getByRole('button')", category: 'pw:api', steps: [] }],
      },
    ],
  });
  expect(expectation).toMatchObject({ title: 'Expect "toHaveText" getByRole(\'status\')', category: 'expect' });
});

test('every step that ended has a duration and a time within its parent', async () => {
  const { steps } = await contentsOf(fileOf('shows the total'));
  for (const step of allSteps(steps)) {
    expect(step.duration).toBeGreaterThanOrEqual(0);
    for (const child of step.steps ?? []) expect(String(child.startTime) >= String(step.startTime)).toBe(true);
  }
});

test('a step that failed has its message without colours, and so have those around it', async () => {
  const { steps } = await contentsOf(fileOf('shows the total'));
  const failed = allSteps(steps).filter(({ error }) => error !== undefined);
  expect(failed.map(({ title }) => title)).toEqual(['read the total', 'Expect "toHaveText" getByRole(\'status\')']);
  expect(failed[0]?.error).toMatch(/^Error: expect\(locator\)\.toHaveText\(expected\) failed\n/);
  expect(failed[0]?.error).toContain('Expected: "12.00"');
});

test('errors, warnings and what a page threw are told in order, with where', async () => {
  const { console } = await contentsOf(fileOf('a page that fails says so in its console'));
  const ofPage = console.filter(({ text }) => !text.startsWith('Failed to load'));
  expect(ofPage.map(({ type, text }) => `${type}: ${text}`)).toEqual([
    'warning: stock is low: 3',
    'error: no price for chair',
    'error: TypeError: basket is undefined',
  ]);
  expect(ofPage.map(({ location }) => new URL(location!).pathname)).toEqual(['/broken:6', '/broken:7', '/broken:8']);
  expect(console.some(({ location }) => location?.endsWith('/api/orders:1'))).toBe(true);
});

test('no header, cookie, body, query or typed text is taken from any trace', async () => {
  const raw = await readTraceEntries(fileOf('shows the name of the user'));
  expect(String(raw['1-trace.network'])).toContain('Bearer secret');
  expect(String(raw['test.trace'])).toContain('typed-secret');
  for (const { file } of reports.traces) expect(JSON.stringify(await contentsOf(file))).not.toContain('secret');
});

test('a test without a page has steps and nothing else', async () => {
  const contents = await contentsOf(fileOf('counts without a page'));
  expect(contents).toMatchObject({ requests: [], console: [] });
  expect(contents.steps.length).toBeGreaterThan(0);
});

test('without the file of the runner the calls of the browser are the steps', async () => {
  using folder = newFolder();
  const { 'test.trace': _, ...entries } = await readTraceEntries(fileOf('shows the name of the user'));
  const contents = await contentsOf(await writeZip(folder, entries));
  expect(contents.steps.map(({ title }) => title)).toEqual([
    'BrowserContext.newPage',
    'Frame.goto',
    'Frame.fill',
    'Frame.click',
    'Expect "toHaveText"',
  ]);
  expect(contents.requests.length).toBeGreaterThanOrEqual(3);
});
