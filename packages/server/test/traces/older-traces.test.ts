import { expect, test } from 'vitest';
import { readTrace, type TraceContents } from '../../src/traces/read-trace.ts';
import { checkReading, type Entries, jsonLines, newFolder, writeZip } from './trace-zip.ts';

const contentsOf = async (entries: Entries): Promise<TraceContents> => {
  using folder = newFolder();
  const reading = await readTrace(await writeZip(folder, entries));
  checkReading(reading);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.contents;
};

const START = Date.UTC(2026, 0, 1);

test('version 4: a library trace whose events have times of the calendar and whose console messages are objects', async () => {
  const contents = await contentsOf({
    'trace.trace': jsonLines(
      { version: 4, type: 'context-options', browserName: 'chromium', wallTime: START },
      {
        type: 'before',
        callId: 'call@1',
        startTime: 100,
        wallTime: START,
        apiName: 'page.goto',
        class: 'Frame',
        method: 'goto',
        params: { url: 'https://shop.test/?token=secret' },
      },
      {
        type: 'object',
        class: 'ConsoleMessage',
        guid: 'console@1',
        initializer: { type: 'error', text: 'oh no', location: { url: 'https://shop.test/a.js?v=1', lineNumber: 2 } },
      },
      { type: 'object', class: 'ConsoleMessage', guid: 'console@2', initializer: { type: 'log', text: 'hello' } },
      { type: 'event', class: 'Page', method: 'console', time: 150, params: { message: { guid: 'console@1' } } },
      { type: 'event', class: 'Page', method: 'console', time: 151, params: { message: { guid: 'console@2' } } },
      {
        type: 'after',
        callId: 'call@1',
        endTime: 300,
        log: [],
        error: { error: { name: 'Error', message: 'net::ERR_FAILED at https://shop.test/?token=secret' } },
      },
    ),
    'trace.network': jsonLines({
      type: 'resource-snapshot',
      snapshot: {
        startedDateTime: '2026-01-01T00:00:00.100+00:00',
        time: -1,
        request: { method: 'GET', url: 'https://ada:pw@shop.test/fonts/a.woff2?token=secret', headers: [] },
        response: { status: -1, content: { mimeType: 'x-unknown' }, _failureText: 'net::ERR_FAILED' },
      },
    }),
  });
  expect(contents).toEqual({
    requests: [
      {
        method: 'GET',
        url: 'https://shop.test/fonts/a.woff2',
        status: 0,
        duration: null,
        resourceType: 'font',
        startTime: '2026-01-01T00:00:00.100Z',
      },
    ],
    steps: [
      {
        title: 'page.goto',
        duration: 200,
        category: 'pw:api',
        startTime: '2026-01-01T00:00:00.000Z',
        error: 'net::ERR_FAILED at https://shop.test/',
      },
    ],
    console: [
      { type: 'error', text: 'oh no', location: 'https://shop.test/a.js:3', startTime: '2026-01-01T00:00:00.050Z' },
    ],
  });
});

test('version 6: the file of the runner has no options, and the category of a step is in its id', async () => {
  const { steps } = await contentsOf({
    '0-trace.trace': jsonLines(
      { version: 6, type: 'context-options', browserName: 'chromium', wallTime: START },
      { type: 'before', callId: 'call@9', startTime: 10, wallTime: START, apiName: 'page.goto' },
    ),
    'test.trace': jsonLines(
      {
        type: 'before',
        callId: 'hook@1',
        class: 'Test',
        method: 'step',
        apiName: 'Before Hooks',
        startTime: 5,
        wallTime: START,
      },
      {
        type: 'before',
        callId: 'fixture@2',
        parentId: 'hook@1',
        class: 'Test',
        method: 'step',
        apiName: 'fixture: page',
        startTime: 6,
      },
      {
        type: 'before',
        callId: 'pw:api@3',
        parentId: 'fixture@2',
        class: 'Test',
        method: 'step',
        apiName: 'browserContext.newPage',
        startTime: 7,
      },
      { type: 'after', callId: 'pw:api@3', endTime: 9 },
      { type: 'after', callId: 'fixture@2', endTime: 9 },
      { type: 'after', callId: 'hook@1', endTime: 10 },
      {
        type: 'before',
        callId: 'pw:api@4',
        class: 'Test',
        method: 'step',
        apiName: 'page.goto(/login?token=secret)',
        startTime: 12,
      },
    ),
  });
  expect(steps).toEqual([
    {
      title: 'Before Hooks',
      category: 'hook',
      duration: 5,
      startTime: '2026-01-01T00:00:00.000Z',
      steps: [
        { title: 'browserContext.newPage', category: 'pw:api', duration: 2, startTime: '2026-01-01T00:00:00.002Z' },
      ],
    },
    { title: 'page.goto(/login)', category: 'pw:api', duration: null, startTime: '2026-01-01T00:00:00.007Z' },
  ]);
});

test('version 7: one clock for each file, and a fixture that fails stays', async () => {
  const { steps, console } = await contentsOf({
    '1-trace.trace': jsonLines(
      { version: 7, type: 'context-options', wallTime: START, monotonicTime: 1_000 },
      {
        type: 'event',
        class: 'BrowserContext',
        method: 'pageError',
        time: 1_500,
        params: { error: { error: { name: 'RangeError', message: 'too far' } } },
      },
      {
        type: 'event',
        class: 'BrowserContext',
        method: 'pageError',
        time: 1_400,
        params: { error: { value: { s: 'thrown' } } },
      },
    ),
    'test.trace': jsonLines(
      { version: 7, type: 'context-options', wallTime: START, monotonicTime: 0 },
      { type: 'before', callId: 'fixture@1', class: 'Test', method: 'step', apiName: 'fixture: user', startTime: 250 },
      { type: 'after', callId: 'fixture@1', endTime: 260, error: { message: 'no such user' } },
    ),
  });
  expect(steps).toEqual([
    {
      title: 'fixture: user',
      category: 'fixture',
      duration: 10,
      startTime: '2026-01-01T00:00:00.250Z',
      error: 'no such user',
    },
  ]);
  expect(console).toEqual([
    {
      type: 'error',
      text: 'Error: something was thrown that is no error',
      location: null,
      startTime: '2026-01-01T00:00:00.400Z',
    },
    { type: 'error', text: 'RangeError: too far', location: null, startTime: '2026-01-01T00:00:00.500Z' },
  ]);
});

test.each([
  ['text/html; charset=utf-8', '/', 'document'],
  ['text/css', '/a', 'stylesheet'],
  ['application/javascript', '/a', 'script'],
  ['image/png', '/a', 'image'],
  ['application/json', '/api', 'fetch'],
  ['x-unknown', '/a.mjs', 'script'],
  ['x-unknown', '/a', 'other'],
])('a request of %s for %s that does not say what it is, is a %s', async (mimeType, path, resourceType) => {
  const snapshot = { request: { url: `https://shop.test${path}` }, response: { status: 204, content: { mimeType } } };
  const { requests } = await contentsOf({ 'trace.network': jsonLines({ type: 'resource-snapshot', snapshot }) });
  expect(requests).toMatchObject([{ method: 'GET', status: 204, resourceType, duration: null, startTime: null }]);
});
