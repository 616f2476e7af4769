import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { submission, testCase } from './build.ts';
import { HUGE, SUBMIT, expectError, expectIssue, jsonText, pathsOf, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const submit = (body: unknown): Promise<Response> => sendJson(server, 'POST', SUBMIT, body);

type Row = [field: string, shown: string, value: unknown];

/** Undefined stands for a field that is left out. */
const rowsOf = (values: Record<string, unknown[]>): Row[] =>
  Object.entries(values).flatMap(([field, list]) =>
    list.map((value): Row => [field, value === undefined ? 'left out' : jsonText(value).slice(0, 40), value]),
  );

const badTimes = [
  '',
  'yesterday',
  '10:00',
  '1e3',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:61:00Z',
  '2026-01-01T00:00:00+99:00',
  '2026-01-01T00:00:00Z and more',
  'Thu, 01 Jan 2026 00:00:00 GMT',
];
const badCounts = [-1, 1.5, '3', true, [], HUGE];

describe('a run field that is not valid is named by its pointer', () => {
  const rows = rowsOf({
    projectName: [undefined, null, 5, true, {}, [], '', '   ', 'x'.repeat(201), 'nul\u0000'],
    status: [undefined, null, 5, {}, '', 'x'.repeat(41)],
    startTime: [undefined, null, 1_767_225_600_000, {}, ...badTimes],
    duration: [-1, -0.5, '5', true, {}, [], HUGE],
    totalTests: badCounts,
    passedTests: badCounts,
    failedTests: badCounts,
    skippedTests: badCounts,
    testCases: [{}, 'x', 5, true],
    runKey: [5, '', 'x'.repeat(201)],
    branch: [5],
    commit: [['abc']],
  });

  it.each(rows)('%s: %s', async (field, _, value) => {
    await expectIssue(await submit({ ...submission(), [field]: value }), `/${field}`);
  });
});

describe('a case field that is not valid is named by its pointer', () => {
  const rows = rowsOf({
    title: [undefined, null, 5, {}, '', 'x'.repeat(1_001)],
    status: [undefined, null, 5, {}, '', 'x'.repeat(41)],
    duration: [-1, '5', true, {}, HUGE],
    retries: badCounts,
    location: [5, {}, []],
    error: [5, {}, []],
    browser: [5, true],
    tags: ['x', 5, {}],
    annotations: ['x', 5, {}],
    steps: ['x', 5, {}],
    networkRequests: ['x', 5, {}],
    webVitals: ['x', 5],
    slowestStep: [5],
    slowestStepDuration: ['long'],
  });

  it.each(rows)('%s: %s', async (field, _, value) => {
    const testCases = [testCase(), { ...testCase(), [field]: value }];
    await expectIssue(await submit({ ...submission(), testCases }), `/testCases/1/${field}`);
  });

  it.each([[null], [5], ['x'], [[]], [true]])('the case itself: %j', async (value) => {
    await expectIssue(await submit({ ...submission(), testCases: [value] }), '/testCases/0');
  });

  it('a title may have 1,000 characters, a status 40', async () => {
    const testCases = [testCase({ title: 'x'.repeat(1_000), status: 'y'.repeat(40) })];
    expect((await submit(submission({ testCases }))).status).toBe(200);
  });
});

describe('what is inside a case is named by its pointer', () => {
  const step = { title: 'step', duration: 5, category: 'test.step' };
  const call = { method: 'GET', url: 'https://a.test/', status: 200, duration: 5, resourceType: 'xhr' };

  it.each<[pointer: string, fields: object]>([
    ['tags/1', { tags: ['@a', 5] }],
    ['annotations/0/type', { annotations: [{ description: 'no type' }] }],
    ['annotations/1/description', { annotations: [{ type: 'a' }, { type: 'b', description: 5 }] }],
    ['steps/0', { steps: ['click'] }],
    ['steps/0/title', { steps: [{ duration: 5 }] }],
    ['steps/1/duration', { steps: [step, { ...step, duration: 'long' }] }],
    ['steps/0/steps/1/title', { steps: [{ ...step, steps: [step, { ...step, title: 5 }] }] }],
    [
      'steps/0/steps/0/steps/0/duration',
      { steps: [{ ...step, steps: [{ ...step, steps: [{ ...step, duration: HUGE }] }] }] },
    ],
    ['networkRequests/0', { networkRequests: [null] }],
    ['networkRequests/0/method', { networkRequests: [{ ...call, method: undefined }] }],
    ['networkRequests/1/url', { networkRequests: [call, { ...call, url: undefined }] }],
    ['networkRequests/0/url', { networkRequests: [{ ...call, url: 5 }] }],
    ['networkRequests/0/status', { networkRequests: [{ ...call, status: 'OK' }] }],
    ['networkRequests/0/status', { networkRequests: [{ ...call, status: -1 }] }],
    ['networkRequests/0/duration', { networkRequests: [{ ...call, duration: -1 }] }],
    ['networkRequests/0/duration', { networkRequests: [{ ...call, duration: HUGE }] }],
    ['webVitals/lcp', { webVitals: { lcp: 'slow' } }],
    ['webVitals/paint/firstPaint', { webVitals: { paint: { firstPaint: 'slow' } } }],
    ['webVitals/navigation/url', { webVitals: { navigation: { url: 5 } } }],
    ['webVitals/navigation/ttfb', { webVitals: { navigation: { ttfb: 'slow' } } }],
    ['webVitals/navigation/domInteractive', { webVitals: { navigation: { domInteractive: [] } } }],
    ['webVitals/navigation/domContentLoaded', { webVitals: { navigation: { domContentLoaded: {} } } }],
    ['webVitals/navigation/loadComplete', { webVitals: { navigation: { loadComplete: true } } }],
  ])('%s of %j', async (pointer, fields) => {
    const testCases = [{ ...testCase(), ...fields }];
    await expectIssue(await submit({ ...submission(), testCases }), `/testCases/0/${pointer}`);
  });
});

describe('a body that is no object', () => {
  it.each(['[]', '[{}]', '"text"', 'null', '5', 'true'])('is an invalid body: %s', async (text) => {
    await expectError(await submit(JSON.parse(text)), 400, 'invalid_body');
  });

  it('without any field names every required field', async () => {
    const error = await expectError(await submit({}), 400, 'invalid_body');
    expect(pathsOf(error)).toEqual(expect.arrayContaining(['/projectName', '/status', '/startTime']));
  });
});

describe('several mistakes', () => {
  it('are all reported', async () => {
    const body = { ...submission(), status: undefined, testCases: [{ ...testCase(), title: undefined, retries: -1 }] };
    const error = await expectError(await submit(body), 400, 'invalid_body');
    expect(pathsOf(error)).toEqual(expect.arrayContaining(['/status', '/testCases/0/title', '/testCases/0/retries']));
  });

  it('in a great many cases are still a clear 400', async () => {
    const testCases = Array.from({ length: 5_000 }, () => ({ status: 'passed' }));
    await expectIssue(await submit({ ...submission(), testCases }), '/testCases/0/title');
  });
});

describe('mistakes of the run and of its cases', () => {
  it('are told together', async () => {
    const answer = await submit({ ...submission(), startTime: 'yesterday', testCases: [{ status: 'passed' }] });
    expect(pathsOf(await expectError(answer, 400, 'invalid_body'))).toEqual(['/startTime', '/testCases/0/title']);
  });
});
