import type { SubmittedCase } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { file, json, runFields, text, upload } from '../files/form.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { newName, submission, testCase } from './build.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const attempt = (number: number, status: string, more: object = {}): SubmittedCase =>
  testCase({ title: 'pays', status, retries: undefined, retry: number, ...more });

const stored = async (testCases: SubmittedCase[], more: object = {}) => {
  const { testRunId } = await server.client.submitRun({ body: submission({ testCases, ...more }) });
  const run = await server.client.getRun({ params: { id: testRunId } });
  const cases = run.testCases.map(({ title, browser, status, retries }) => [title, browser, status, retries].join(' '));
  return { run, cases };
};

describe('attempts that are sent as cases of their own', () => {
  it('are one test, with the outcome of the last', async () => {
    const { run, cases } = await stored([
      attempt(0, 'failed', { error: 'expected 200' }),
      attempt(1, 'timedOut'),
      testCase({ title: 'signs in', retries: undefined }),
      attempt(2, 'passed', { steps: [{ title: 'click' }] }),
    ]);
    expect(cases).toEqual(['pays  passed 2', 'signs in  passed 0']);
    expect(run).toMatchObject({ totalTests: 2, passedTests: 2, failedTests: 0, flakyTests: 1 });
    expect(run.testCases[0]).toMatchObject({
      steps: [{ title: 'click' }],
      attempts: [
        { retry: 0, status: 'failed', error: 'expected 200' },
        { retry: 1, status: 'timedOut' },
        { retry: 2, status: 'passed' },
      ],
    });
  });

  it.each([
    ['in any order', [attempt(1, 'failed'), attempt(0, 'passed')], ['pays  failed 1']],
    [
      'counted from 1 as `attempt`',
      [1, 2].map((number) => testCase({ title: 'pays', status: 'failed', retries: undefined, attempt: number })),
      ['pays  failed 1'],
    ],
    ['of which only the last is sent', [attempt(2, 'passed')], ['pays  passed 2']],
    [
      'of other browsers and describes stay apart',
      [
        attempt(0, 'failed', { browser: 'firefox' }),
        attempt(1, 'passed'),
        attempt(2, 'passed', { suitePath: ['Cart'] }),
      ],
      ['pays firefox failed 0', 'pays  passed 1', 'Cart › pays  passed 2'],
    ],
    [
      'of each repetition are a test of its own',
      [attempt(0, 'failed'), attempt(1, 'passed'), attempt(0, 'failed'), attempt(1, 'failed')],
      ['pays  passed 1', 'pays  failed 1'],
    ],
  ])('%s', async (_what, sent, expected) => {
    expect((await stored(sent)).cases).toEqual(expected);
  });

  it('count once, even for a sender who counts each', async () => {
    const sent = [attempt(0, 'failed'), attempt(1, 'passed')];
    const { run } = await stored(sent, { totalTests: 2, passedTests: 1, failedTests: 1 });
    expect(run).toMatchObject({ totalTests: 1, passedTests: 1, failedTests: 0, flakyTests: 1 });
    const { run: told } = await stored(sent, { totalTests: 1, passedTests: 1, failedTests: 0 });
    expect(told).toMatchObject({ totalTests: 1, passedTests: 1, failedTests: 0 });
  });

  it('in thousands are joined, wherever they stand', async () => {
    const tests = Array.from({ length: 6_000 }, (_, at) => ({ title: `case ${at}`, error: 'x'.repeat(100) }));
    const { run } = await stored([
      ...tests.map((test) => attempt(0, 'failed', test)),
      ...tests.map((test) => attempt(1, 'passed', { ...test, error: undefined })),
    ]);
    expect(run).toMatchObject({ totalTests: 6_000, failedTests: 0, flakyTests: 6_000 });
    expect(run.testCases.every(({ status, retries }) => status === 'passed' && retries === 1)).toBe(true);
  });

  it('keep their traces', async () => {
    const cases = [attempt(0, 'failed'), attempt(1, 'passed'), testCase({ title: 'signs in' })];
    const { testRunId } = await upload(server, [
      text('projectName', newName()),
      json('testRun', runFields()),
      json('testCases', cases),
      file('trace_0', 'first'),
      file('trace_2', 'third'),
    ]);
    const { testCases } = await server.client.getRun({ params: { id: testRunId } });
    const traces = await Promise.all(
      testCases.map(async ({ id, title }) => {
        const { traces } = await server.client.getTestCase({ params: { id } });
        return [title, traces.length];
      }),
    );
    expect(traces).toEqual([
      ['pays', 1],
      ['signs in', 1],
    ]);
  });
});

describe('what did not end by itself', () => {
  const cases = ['passed', 'failed', 'timedOut', 'interrupted'].map((status) => testCase({ title: status, status }));

  it('counts as failed, even for a sender who leaves it out', async () => {
    for (const sent of [{}, { totalTests: 4, passedTests: 1, failedTests: 1, skippedTests: 0 }, { failedTests: 1 }]) {
      const { run } = await stored(cases, sent);
      expect(run).toMatchObject({ totalTests: 4, passedTests: 1, failedTests: 3 });
    }
  });

  it('leaves counts alone that are of more than the cases', async () => {
    const { run } = await stored(cases, { totalTests: 9, passedTests: 8, failedTests: 1 });
    expect(run).toMatchObject({ totalTests: 9, passedTests: 8, failedTests: 1 });
  });
});

describe('when a case began', () => {
  it('is ISO 8601 or milliseconds', async () => {
    const at = '2026-03-01T10:00:00.000Z';
    const { run } = await stored([testCase({ startTime: at }), testCase({ startTime: Date.parse(at) })]);
    expect(run.testCases.map(({ startTime }) => startTime)).toEqual([at, at]);
  });

  it.each(['yesterday', '2026-13-01T10:00:00Z', '', -1, 1e300])('is refused when it is %j', async (startTime) => {
    const body = submission({ testCases: [testCase(), testCase({ startTime })] });
    const refused = server.client.submitRun({ body });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      body: { code: 'invalid_body', issues: [{ path: '/testCases/1/startTime' }] },
    });
  });
});
