import type { RunDetails, SubmittedCase } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Part, encodeForm, file, formHeaders, json, runFields, text, upload } from '../files/form.ts';
import { type TestServer, sharedServer } from '../server.ts';
import { newName, runStart, submission, testCase } from './build.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

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
      testCase({ title: 'signs in', retries: undefined, steps: [{ title: 'types' }] }),
      attempt(2, 'passed', { steps: [{ title: 'click' }] }),
    ]);
    expect(cases).toEqual(['pays  passed 2', 'signs in  passed 0']);
    const details = await Promise.all(run.testCases.map(({ id }) => server.client.getTestCase({ params: { id } })));
    expect(details.map(({ steps }) => steps)).toMatchObject([[{ title: 'click' }], [{ title: 'types' }]]);
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
    const tests = Array.from({ length: 4_000 }, (_, at) => ({ title: `case ${at}`, error: 'x'.repeat(100) }));
    const { run } = await stored([
      ...tests.map((test) => attempt(0, 'failed', test)),
      ...tests.map((test) => attempt(1, 'passed', { ...test, error: undefined })),
    ]);
    expect(run).toMatchObject({ totalTests: 4_000, failedTests: 0, flakyTests: 4_000 });
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

describe('attempts that are streamed as cases of their own', () => {
  const stream = async (batches: SubmittedCase[][], finish: object = {}, files: Part[] = []) => {
    const { testRunId: id, part } = await server.client.startRun({ body: runStart({}) });
    for (const [batch, testCases] of batches.entries()) {
      await server.client.addResults({ params: { id }, body: { part, batch, testCases } });
    }
    if (files.length > 0) {
      const body = encodeForm([...files, text('part', String(part))]);
      const sent = await fetch(`${server.url}/api/test-runs/${id}/files`, {
        method: 'POST',
        headers: formHeaders(),
        body,
      });
      expect(sent.status, await sent.text()).toBe(200);
    }
    await server.client.finishRun({ params: { id }, body: { part, status: 'passed', ...finish } });
    return server.client.getRun({ params: { id } });
  };
  const told = ({ testCases }: RunDetails) =>
    testCases.map(({ title, browser, status, retries }) => [title, browser, status, retries].join(' '));

  it('are one test when the run is finished, wherever they were sent', async () => {
    const run = await stream([
      [attempt(0, 'failed', { error: 'expected 200', steps: [{ title: 'first' }], duration: 10 }), testCase()],
      [attempt(0, 'failed', { browser: 'firefox' }), attempt(1, 'timedOut', { duration: 20 })],
      [attempt(1, 'failed', { browser: 'firefox' })],
      [attempt(2, 'passed', { steps: [{ title: 'click' }], duration: 30 }), testCase({ title: 'after' })],
    ]);
    expect(told(run)).toEqual(['works  passed 0', 'pays firefox failed 1', 'pays  passed 2', 'after  passed 0']);
    expect(run).toMatchObject({ totalTests: 4, passedTests: 3, failedTests: 1, flakyTests: 1, p90TestDuration: 100 });
    expect(run.testCases[2]).toMatchObject({
      steps: [{ title: 'click' }],
      attempts: [
        { retry: 0, status: 'failed', error: 'expected 200', duration: 10 },
        { retry: 1, status: 'timedOut', duration: 20 },
        { retry: 2, status: 'passed', duration: 30 },
      ],
    });
    const tests = await server.client.listTests({ params: { id: run.projectId } });
    expect(tests.map(({ title, totalRuns, flakyRuns }) => [title, totalRuns, flakyRuns]).sort()).toEqual([
      ['after', 1, 0],
      ['pays', 1, 0],
      ['pays', 1, 1],
      ['works', 1, 0],
    ]);
  });

  it('have the cause and the time of those that failed, as when they are sent whole', async () => {
    const cases = [
      attempt(0, 'failed', { error: 'Error: price is 12', duration: 10 }),
      attempt(1, 'timedOut', { error: 'Error: no answer of bank 7', duration: 20 }),
      attempt(2, 'passed', { duration: 30 }),
      attempt(0, 'passed', { browser: 'firefox' }),
      attempt(1, 'failed', { browser: 'firefox', error: 'Error: price is 13', duration: 40 }),
      testCase({ status: 'failed', error: 'Error: other' }),
    ];
    const facts = ({ testCases }: RunDetails) =>
      testCases.map(({ title, browser, failedMs, cause }) => [title, browser, failedMs, cause].join(' ')).sort();
    const expected = [
      'pays  30 Error: no answer of bank <*>',
      'pays firefox 40 Error: price is <*>',
      'works   Error: other',
    ];
    expect(facts(await stream(cases.map((testCase) => [testCase])))).toEqual(expected);
    expect(facts(await stream([cases]))).toEqual(expected);
    expect(facts((await stored(cases)).run)).toEqual(expected);
  });

  it('keep their files and requests, those of the attempt that counts', async () => {
    const request = (url: string) => ({ networkRequests: [{ method: 'GET', url, status: 200, duration: 5 }] });
    const run = await stream(
      [
        [
          attempt(0, 'failed', request('http://shop/first')),
          testCase({ title: 'between', ...request('http://shop/b') }),
        ],
        [attempt(1, 'passed', request('http://shop/second')), testCase({ title: 'last' })],
      ],
      {},
      [file('trace_0', 'first'), file('trace_2', 'second'), file('trace_3', 'of the last')],
    );
    const traces = await Promise.all(
      run.testCases.map(async ({ id, title }) => {
        const found = await server.client.getTestCase({ params: { id } });
        return [title, found.traces.length, found.networkRequests.map(({ url }) => url)];
      }),
    );
    expect(traces).toEqual([
      ['between', 0, ['http://shop/b']],
      ['pays', 2, ['http://shop/second']],
      ['last', 1, []],
    ]);
    const routes = await server.client.listRunRequests({ params: { id: run.id } });
    expect(routes.map(({ route }) => route).sort()).toEqual(['/b', '/second']);
  });

  it('count once, even for a sender who counts each', async () => {
    const batches = [[attempt(0, 'failed')], [attempt(1, 'passed')]];
    const counted = await stream(batches, { totalTests: 2, passedTests: 1, failedTests: 1 });
    expect(counted).toMatchObject({ totalTests: 1, passedTests: 1, failedTests: 0, flakyTests: 1 });
    const other = await stream(batches, { totalTests: 9, passedTests: 9, failedTests: 0 });
    expect(other).toMatchObject({ totalTests: 9, passedTests: 9, failedTests: 0, flakyTests: 1 });
  });

  it('of each repetition, or of one attempt only, stay apart', async () => {
    const run = await stream([
      [attempt(0, 'failed'), attempt(1, 'passed')],
      [attempt(0, 'passed'), attempt(2, 'passed', { title: 'ships' })],
    ]);
    expect(told(run)).toEqual(['pays  passed 1', 'pays  passed 0', 'ships  passed 2']);
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

describe('what attempts cost, and why', () => {
  const factsOf = ({ testCases }: RunDetails) =>
    testCases.map(({ lane, failedMs, cause }) => ({ lane, failedMs, cause }));
  const NOTHING = { lane: undefined, failedMs: undefined, cause: undefined };

  it('is told of a flaky and of a failed result, and not of one that was meant to fail', async () => {
    const attempts = [
      { status: 'failed', duration: 1_000, error: 'Error: timed out after 30 s', parallel: 0 },
      { status: 'timedOut', duration: 500, error: 'Error: no answer in 7 ms', parallel: 1 },
    ];
    const { run } = await stored([
      testCase({ retries: 2, attempts: [...attempts, { status: 'passed', duration: 9, parallel: 3 }] }),
      testCase({ status: 'failed', error: 'Error: price is 12', attempts }),
      testCase({ status: 'passed', attempts: attempts.slice(0, 1) }),
      testCase({ status: 'failed', error: 'Error: price is 13' }),
      testCase({ lane: 7 }),
    ]);
    expect(factsOf(run)).toEqual([
      { lane: 3, failedMs: 1_500, cause: 'Error: no answer in <*>' },
      { lane: 1, failedMs: 1_500, cause: 'Error: price is <*>' },
      { ...NOTHING, lane: 0 },
      { ...NOTHING, cause: 'Error: price is <*>' },
      { ...NOTHING, lane: 7 },
    ]);
  });

  it('is told of attempts that are sent as cases of their own', async () => {
    const cases = [
      attempt(0, 'failed', { error: 'Error: expected 200', duration: 40 }),
      attempt(1, 'passed', { duration: 50 }),
    ];
    const { run } = await stored(cases);
    expect(factsOf(run)).toEqual([{ ...NOTHING, failedMs: 40, cause: 'Error: expected <*>' }]);
  });

  it.each([-1, 10_000, 1e9, 1.5, '2'])('has no lane %j', async (lane) => {
    const body = submission({ testCases: [testCase({ lane } as object)] });
    await expect(server.client.submitRun({ body })).rejects.toMatchObject({
      status: 400,
      body: { code: 'invalid_body', issues: [{ path: '/testCases/0/lane' }] },
    });
  });
});
