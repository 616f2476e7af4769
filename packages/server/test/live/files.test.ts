import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { minute, newName, richCase, testCase } from '../conformance/build.ts';
import { expectError, expectIssue } from '../conformance/wire.ts';
import { zipOf } from '../files/archives.ts';
import {
  type Part,
  encodeForm,
  file,
  filePath,
  formHeaders,
  json,
  readStored,
  runFields,
  text,
  uniqueBytes,
  upload,
} from '../files/form.ts';
import { expectNoFiles, hashesOf, storedHashes } from '../files/stored.ts';
import { until } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { jsonLines } from '../traces/trace-zip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const start = (fields: object = {}, key = randomUUID()) =>
  server.client.startRun({
    body: { projectName: newName(), startTime: minute(0), ...fields },
    headers: { 'idempotency-key': key },
  });
const add = (id: number, part: number, batch: number, ...titles: string[]) =>
  server.client.addResults({
    params: { id },
    body: { part, batch, testCases: titles.map((title) => testCase({ title })) },
  });
const sendFiles = (id: number, parts: readonly Part[]): Promise<Response> =>
  fetch(`${server.url}/api/test-runs/${id}/files`, { method: 'POST', headers: formHeaders(), body: encodeForm(parts) });
const addFiles = async (id: number, part: number, ...files: Part[]) => {
  const response = await sendFiles(id, [...files, text('part', String(part))]);
  const answer = await response.text();
  expect(response.status, answer).toBe(200);
  return JSON.parse(answer) as {
    reports: { type: string; path: string }[];
    traces: { testCaseIndex: number; path: string }[];
  };
};
const statusOfFile = async (path: string): Promise<number> => (await fetch(server.url + filePath(path))).status;
const tracesByTitle = async (id: number): Promise<[string, number][]> => {
  const { testCases } = await server.client.getRun({ params: { id }, query: { details: false } });
  const cases = await Promise.all(testCases.map((found) => server.client.getTestCase({ params: { id: found.id } })));
  return cases.map(({ title, traces }) => [title, traces.length]);
};

it('files of a live run belong to the cases in the order in which their part sent them, and are stored once', async () => {
  const shop = { projectName: newName(), runKey: newName('key') };
  const one = await start({ ...shop, shard: { index: 1, total: 2 } });
  const two = await start({ ...shop, shard: { index: 2, total: 2 } });
  const id = one.testRunId;
  await add(id, two.part, 0, 'x', 'y');
  await add(id, one.part, 0, 'a');
  await add(id, two.part, 1, 'z');
  await add(id, one.part, 1, 'b', 'c');
  const [html, traceB, traceZ] = [uniqueBytes(), uniqueBytes(), uniqueBytes()];
  const first = await addFiles(id, one.part, file('report_html', html), file('trace_1', traceB));
  expect(first.reports).toMatchObject([{ type: 'html' }]);
  expect(first.traces).toMatchObject([{ testCaseIndex: 1 }]);
  expect(await readStored(server, first.reports[0]!.path)).toEqual(html);
  expect((await addFiles(id, two.part, file('trace_2', traceZ))).traces).toMatchObject([{ testCaseIndex: 2 }]);
  expect((await addFiles(id, one.part, file('trace_1', traceB))).traces).toEqual(first.traces);
  expect((await addFiles(id, one.part, file('report_html', html))).reports).toEqual(first.reports);
  const other = uniqueBytes();
  const again = await addFiles(id, one.part, file('report_html', other));
  expect(again.reports).toHaveLength(1);
  expect(await readStored(server, again.reports[0]!.path)).toEqual(other);
  expect(await statusOfFile(first.reports[0]!.path)).toBe(404);
  expect(await tracesByTitle(id)).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
    ['x', 0],
    ['y', 0],
    ['z', 1],
  ]);
  await server.client.finishRun({ params: { id }, body: { part: one.part, status: 'passed' } });
  await expectError(await sendFiles(id, [text('part', String(one.part))]), 409, 'part_finished');
  await server.client.deleteRun({ params: { id } });
  await expectNoFiles(server.dataDir);
});

const traceWith = (url: string): Promise<Buffer> =>
  zipOf({
    'trace.trace': jsonLines(
      { version: 4, type: 'context-options', browserName: 'chromium', wallTime: 0 },
      {
        type: 'before',
        callId: 'call@1',
        startTime: 1,
        wallTime: 1,
        apiName: `goes to ${url}`,
        class: 'Frame',
        method: 'goto',
      },
      { type: 'after', callId: 'call@1', endTime: 3, log: [] },
    ),
    'trace.network': jsonLines({
      type: 'resource-snapshot',
      snapshot: { time: 7, request: { method: 'GET', url, headers: [] }, response: { status: 200, content: {} } },
    }),
  });

it('what a trace says stays with its case when the parts around it go, and is told of the whole run', async () => {
  const shop = { projectName: newName(), runKey: newName('key') };
  const one = await start({ ...shop, shard: { index: 1, total: 2 } });
  const two = await start({ ...shop, shard: { index: 2, total: 2 } });
  const id = one.testRunId;
  const rich = (title: string) => richCase({ title, networkRequests: [] });
  const addRich = (part: number, batch: number, title: string) =>
    server.client.addResults({ params: { id }, body: { part, batch, testCases: [rich(title)] } });
  await addRich(two.part, 0, 'other');
  await add(id, one.part, 0, 'traced');
  await addRich(two.part, 1, 'another');
  await addFiles(id, one.part, file('trace_0', await traceWith('https://shop.test/api/traced')));
  const traced = async () => {
    const { testCases } = await server.client.getRun({ params: { id } });
    return server.client.getTestCase({ params: { id: testCases[0]!.id } });
  };
  await until('the trace is read', async () => (await traced()).traces[0]!.state === 'read');
  const before = await traced();
  expect(before.steps).toMatchObject([{ title: 'goes to https://shop.test/api/traced' }]);
  expect(before.networkRequests).toMatchObject([{ url: 'https://shop.test/api/traced' }]);
  await server.client.startRun({
    body: { ...shop, startTime: minute(1), shard: { index: 2, total: 2 }, attempt: 2 },
  });
  const { steps, networkRequests } = await traced();
  expect({ steps, networkRequests }).toEqual({ steps: before.steps, networkRequests: before.networkRequests });
  expect(await server.client.listRunRequests({ params: { id } })).toMatchObject([
    { route: '/api/traced', testCaseIds: [before.id] },
  ]);
  await server.client.deleteRun({ params: { id } });
});

it('files that are refused leave nothing behind, and the field is named', async () => {
  const { testRunId: id, part } = await start();
  await add(id, part, 0, 'a');
  const trace = file('trace_1', uniqueBytes());
  await expectIssue(await sendFiles(id, [text('part', String(part)), trace]), '/trace_1');
  await expectIssue(await sendFiles(id, [file('trace_0', uniqueBytes())]), '/part');
  for (const wrong of ['0', 'x', '1.5', '99999999999999999999', '']) {
    await expectIssue(await sendFiles(id, [text('part', wrong)]), '/part');
  }
  await expectError(await sendFiles(id, [text('part', '999999')]), 404, 'part_not_found');
  await expectError(await sendFiles(999_999, [text('part', String(part))]), 404, 'run_not_found');
  await expectNoFiles(server.dataDir);
});

it('an upload that takes the place of a part brings its files, and those that were there go', async () => {
  const shop = { projectName: newName(), runKey: newName('key'), shard: { index: 1, total: 2 } };
  const [oldReport, oldTrace, newReport, newTrace] = Array.from({ length: 4 }, () => uniqueBytes());
  const send = (attempt: number, shardIndex: number, ...files: Part[]) =>
    upload(server, [
      ...files,
      text('projectName', shop.projectName),
      json('testRun', runFields({ runKey: shop.runKey, attempt, shard: { index: shardIndex, total: 2 } })),
      json('testCases', [testCase({ title: `first ${shardIndex}` }), testCase({ title: `second ${shardIndex}` })]),
    ]);
  const shared = uniqueBytes();
  const other = await send(1, 2, file('report_html', shared), file('trace_1', uniqueBytes()));
  const first = await send(
    1,
    1,
    file('report_html', oldReport!),
    file('trace_0', oldTrace!),
    file('report_blob', shared),
  );
  expect(first.testRunId).toBe(other.testRunId);
  expect(first.traces).toMatchObject([{ testCaseIndex: 0 }]);
  expect(first.reports).toHaveLength(2);
  expect(await send(1, 1, file('report_html', uniqueBytes()))).toEqual(first);
  const second = await send(2, 1, file('report_html', newReport!), file('trace_1', newTrace!));
  expect(second.traces).toMatchObject([{ testCaseIndex: 1 }]);
  for (const { path } of [...first.reports, ...first.traces]) expect(await statusOfFile(path), path).toBe(404);
  for (const { path } of [...second.reports, ...other.reports]) expect(await statusOfFile(path), path).toBe(200);
  const stored = storedHashes(server.dataDir);
  expect(stored.filter((hash) => hashesOf([oldReport!, oldTrace!]).includes(hash))).toEqual([]);
  expect(await tracesByTitle(first.testRunId)).toEqual([
    ['first 1', 0],
    ['second 1', 1],
    ['first 2', 0],
    ['second 2', 1],
  ]);
  const { testRuns } = await server.client.getProject({ params: { id: first.projectId } });
  expect(testRuns[0]!.reports).toHaveLength(2);
  await server.client.deleteRun({ params: { id: first.testRunId } });
  await expectNoFiles(server.dataDir);
});
