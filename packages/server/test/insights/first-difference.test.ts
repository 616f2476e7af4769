import type { SubmittedCase, Submission } from '@assay/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const START = Date.parse('2026-03-02T08:00:00Z');
let runs = 0;

const step = (title: string, at: number, more: object = {}) => ({
  title,
  duration: 20,
  category: 'pw:api',
  startTime: START + at,
  ...more,
});

const request = (url: string, at: number, status: number, more: object = {}) => ({
  method: 'POST',
  url: `http://localhost:41${String(runs).padStart(3, '0')}${url}`,
  status,
  duration: 30,
  resourceType: 'fetch',
  startTime: START + at,
  ...more,
});

/** Opens, pays and waits for the thanks. */
const paying = (): Partial<SubmittedCase> => ({
  status: 'passed',
  steps: [step('open', 0), step('click "Pay"', 100), step('expect thanks', 130, { category: 'expect', duration: 60 })],
  networkRequests: [request('/api/cart', 10, 200), request('/api/payments', 110, 201)],
});

const failing = { error: 'no thanks', category: 'expect', duration: 2_000 };

const submit = async (projectName: string, result: Partial<SubmittedCase>, run: Partial<Submission> = {}) => {
  runs++;
  const startTime = new Date(START + runs * 60_000).toISOString();
  const { status = 'passed', ...fields } = result;
  const testCase = { title: 'pays', location: 'pay.spec.ts:3:1', status, ...fields };
  const { testRunId: id } = await server.client.submitRun({
    body: { projectName, startTime, status: 'passed', testCases: [testCase], ...run },
  });
  const { testCases } = await server.client.getRun({ params: { id } });
  return testCases[0]!.id;
};

const difference = (id: number) => server.client.getFirstDifference({ params: { id } });

const passMany = async (projectName: string, times: number, result = paying, run: Partial<Submission> = {}) => {
  for (let at = 0; at < times; at++) await submit(projectName, result(), run);
};

test('a request that was answered otherwise comes before the step that failed', async () => {
  await passMany('answers', 10);
  const red = paying();
  const id = await submit('answers', {
    ...red,
    status: 'failed',
    steps: [...red.steps!.slice(0, 2), step('expect thanks', 130, failing)],
    networkRequests: [request('/api/cart', 10, 200), request('/api/payments', 110, 502)],
  });
  const { differences, results, told, attempt } = await difference(id);
  expect(results).toHaveLength(10);
  expect(attempt).toBe(0);
  expect(told).toMatchObject({ steps: { here: true, results: 10 }, console: { here: false, results: 0 } });
  expect(differences).toMatchObject([
    {
      kind: 'request',
      change: 'changed',
      what: 'POST /api/payments',
      here: '502',
      usual: '201',
      alike: 0,
      results: 10,
    },
    { kind: 'step', change: 'failed', what: 'expect thanks', here: 'no thanks', atMs: 130 },
  ]);
});

test('a request that passing results make while they wait is missing; what they do later is not', async () => {
  const later = () => ({
    ...paying(),
    networkRequests: [...paying().networkRequests!, request('/api/receipt', 900, 200)],
  });
  await passMany('missing', 3, later);
  const red = paying();
  const id = await submit('missing', {
    ...red,
    status: 'failed',
    steps: [...red.steps!.slice(0, 2), step('expect thanks', 130, failing)],
    networkRequests: [request('/api/cart', 10, 200)],
  });
  expect((await difference(id)).differences).toMatchObject([
    {
      kind: 'request',
      change: 'missing',
      what: 'POST /api/payments',
      usual: '201',
      hereTimes: 0,
      alike: 0,
      results: 3,
    },
    { kind: 'step', change: 'failed' },
  ]);
});

test('a request that takes far longer than in any passing result is told, one as slow as everything is not', async () => {
  await passMany('slow', 5);
  const slow = (requestMs: number, factor: number) => ({
    ...paying(),
    steps: [0, 1, 2].map((at) =>
      step(['open', 'click "Pay"', 'expect thanks'][at]!, at * 100, { duration: 60 * factor }),
    ),
    networkRequests: [
      request('/api/cart', 10, 200, { duration: 30 * factor }),
      request('/api/payments', 110, 201, { duration: requestMs }),
    ],
  });
  const id = await submit('slow', { ...slow(4_000, 1), status: 'failed' });
  expect((await difference(id)).differences).toMatchObject([
    { kind: 'request', change: 'slower', what: 'POST /api/payments', hereMs: 4_000, usualMs: 30 },
  ]);
  const busy = await submit('slow', { ...slow(400, 14), status: 'failed' });
  expect((await difference(busy)).differences).toEqual([]);
});

test('versions and environments that no passing result had come first', async () => {
  const before = { metadata: { playwright: { version: '1.59.0' }, environment: 'staging' } };
  await passMany('versions', 4, paying, before);
  const id = await submit(
    'versions',
    { ...paying(), status: 'failed', console: [{ type: 'error', text: 'no' }] },
    { metadata: { playwright: { version: '1.60.0' }, environment: 'production' } },
  );
  const { differences, told } = await difference(id);
  expect(differences).toMatchObject([
    { kind: 'environment', change: 'changed', here: 'production', usual: 'staging', results: 4, alike: 0 },
    { kind: 'version', change: 'changed', what: 'playwright', here: '1.60.0', usual: '1.59.0' },
  ]);
  expect(told.console, 'passing results do not tell whether there were messages').toEqual({ here: true, results: 0 });
});

describe('which results are compared', () => {
  test('none when the test never passed before', async () => {
    const id = await submit('never', { ...paying(), status: 'failed' });
    await submit('never', paying());
    expect(await difference(id)).toMatchObject({ results: [], differences: [], more: 0 });
  });

  test('those before it, not on a retry, of its own branch before those of others', async () => {
    await passMany('branches', 12, paying, { branch: 'main', defaultBranch: 'main' });
    await submit('branches', { ...paying(), retries: 1 }, { branch: 'main' });
    const own = await submit('branches', paying(), { branch: 'pay' });
    const id = await submit('branches', { ...paying(), status: 'failed' }, { branch: 'pay' });
    await submit('branches', paying(), { branch: 'pay' });
    const { results } = await difference(id);
    expect(results).toHaveLength(10);
    expect(results[0]!.id).toBe(own);
    expect(new Set(results.slice(1).map(({ branch }) => branch))).toEqual(new Set(['main']));
    expect(results.every(({ retries }) => retries === 0)).toBe(true);
  });

  test('of an old failure those that passed before it, however many have since', async () => {
    await passMany('old', 2);
    const id = await submit('old', { ...paying(), status: 'failed' });
    await passMany('old', 45);
    expect((await difference(id)).results).toHaveLength(2);
  });
});

test('of a flaky result the attempt that failed is compared, without the steps of the last', async () => {
  await passMany('flaky', 3);
  const attempts = [
    { retry: 0, status: 'failed', startTime: START, duration: 2_000 },
    { retry: 1, status: 'passed', startTime: START + 5_000, duration: 300 },
  ];
  const id = await submit('flaky', {
    ...paying(),
    retries: 1,
    attempts,
    steps: [step('open', 5_000)],
    networkRequests: [
      request('/api/cart', 10, 200),
      request('/api/payments', 110, 503),
      request('/api/cart', 5_010, 200),
      request('/api/payments', 5_110, 201),
    ],
  });
  const { attempt, told, differences } = await difference(id);
  expect(attempt).toBe(0);
  expect(told.steps.here).toBe(false);
  expect(differences).toMatchObject([{ kind: 'request', change: 'changed', what: 'POST /api/payments', here: '503' }]);
});

test('console messages are compared where most passing results tell some', async () => {
  const chatty = () => ({ ...paying(), console: [{ type: 'warning' as const, text: 'deprecated since 3.1' }] });
  await passMany('console', 2, chatty);
  await passMany('console', 3);
  const failed = {
    ...paying(),
    status: 'failed' as const,
    console: [{ type: 'error' as const, text: 'TypeError: no' }],
  };
  const few = await difference(await submit('console', failed));
  expect(few).toMatchObject({ differences: [], told: { console: { here: true, results: 0 } } });
  await passMany('console', 4, chatty);
  const enough = await difference(await submit('console', failed));
  expect(enough.differences).toMatchObject([{ kind: 'console', change: 'added', what: 'TypeError: no', results: 6 }]);
});

test('the clock of another machine does not make anything missing', async () => {
  await passMany('clocks', 3);
  const red = paying();
  const ahead = 86_400_000;
  const attempts = [0, 1].map((retry) => ({
    retry,
    status: 'failed',
    startTime: START + retry * 5_000,
    duration: 2_200,
  }));
  const tried = (at: number) => [request('/api/cart', at + 10, 200), request('/api/payments', at + 110, 502)];
  const result = {
    ...red,
    status: 'failed',
    retries: 1,
    attempts,
    steps: [step('open', 5_000), step('click "Pay"', 5_100), step('expect thanks', 5_130, failing)],
  };
  const skewed = await submit('clocks', { ...result, networkRequests: [...tried(ahead), ...tried(ahead + 5_000)] });
  expect((await difference(skewed)).differences).toMatchObject([
    { kind: 'request', change: 'changed', here: '502', hereTimes: 1, atMs: null },
    { kind: 'step', change: 'failed' },
  ]);
  const senseless = await submit('clocks', { ...result, networkRequests: [...tried(0), ...tried(ahead)] });
  const { told, differences } = await difference(senseless);
  expect(told.requests.here).toBe(false);
  expect(differences).toMatchObject([{ kind: 'step', change: 'failed' }]);
});

test('thousands of equal steps are counted, and of more than are looked at nothing is said', async () => {
  const many = (count: number) => ({
    status: 'passed' as const,
    steps: Array.from({ length: count }, (_, at) => step(`row ${at}`, at)),
  });
  await passMany('many', 3, () => many(2_900));
  const more = await difference(await submit('many', { ...many(2_901), status: 'failed' }));
  expect(more.differences).toMatchObject([{ change: 'repeated', hereTimes: 2_901, usualTimes: 2_900 }]);
  const tooMany = await difference(await submit('many', { ...many(3_100), status: 'failed' }));
  expect(tooMany).toMatchObject({ told: { steps: { here: false, results: 3 } }, differences: [] });
});

test('details of any shape are answered', async () => {
  await passMany('shapes', 2);
  const id = await submit('shapes', {
    status: 'failed',
    attempts: [null, 'once', { startTime: 'never', duration: 'long' }, []],
    steps: [
      { title: '', error: { message: 7 } },
      {
        title: '\u001b[31mred\u001b[0m › inner',
        startTime: 'yesterday',
        steps: [{ title: 'x'.repeat(5_000), error: '' }],
      },
    ],
    networkRequests: [{ method: 'get', url: 'not a url', status: null }],
    console: [{ type: 'warning', text: '\ud800' }],
  });
  expect((await difference(id)).differences.length).toBeGreaterThan(0);
  await expect(difference(999_999_999)).rejects.toMatchObject({ status: 404 });
});
