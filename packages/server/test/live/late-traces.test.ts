import { randomBytes, randomUUID } from 'node:crypto';
import type { RunDetails, SubmittedCase } from '@assay/contract';
import { expect, it } from 'vitest';
import { minute, newName, testCase } from '../conformance/build.ts';
import { zipOf } from '../files/archives.ts';
import { encodeForm, file, formHeaders, text } from '../files/form.ts';
import { inDatabase } from '../in-database.ts';
import { until } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { jsonLines } from '../traces/trace-zip.ts';

const BATCHES = 25;
const CASES_PER_BATCH = 3;
const REQUESTS_PER_CASE = 4;
/** What all cases have is more than the 1 MiB of details that a block may have. */
const TEXT_BYTES = 15_000;

const requestOf = (nth: number) => ({
  method: 'GET',
  url: `https://shop.test/page-${nth}`,
  status: 200 + (nth % 300),
  duration: Math.abs(Math.sin(nth)),
  resourceType: 'fetch',
});

const caseOf = (nth: number): SubmittedCase =>
  testCase({
    title: `case ${nth}`,
    metadata: { nth },
    // Nothing that compression could make smaller.
    annotations: [{ type: 'nth', description: `${nth} ${randomBytes(TEXT_BYTES).toString('base64')}` }],
    networkRequests: Array.from({ length: REQUESTS_PER_CASE }, (_, at) => requestOf(nth * REQUESTS_PER_CASE + at)),
  });

const traceOf = (nth: number): Promise<Buffer> =>
  zipOf({
    'trace.trace': jsonLines(
      { version: 8, type: 'context-options', browserName: 'chromium', wallTime: 1, monotonicTime: 0 },
      { type: 'console', messageType: 'error', text: `of case ${nth}`, time: 7, location: { url: '', lineNumber: 1 } },
    ),
    'trace.network': jsonLines({
      type: 'resource-snapshot',
      snapshot: {
        _monotonicTime: 6,
        time: 12,
        request: { method: 'GET', url: 'https://shop.test/of-a-trace' },
        response: { status: 200, content: { mimeType: 'application/json' } },
      },
    }),
  });

const valueOf = async ({ dataDir }: TestServer, statement: string): Promise<number> =>
  Number((await inDatabase(dataDir, statement))[0]!['value']);

const readAll = async ({ client }: TestServer, id: number): Promise<[RunDetails['testCases'], unknown]> => [
  (await client.getRun({ params: { id } })).testCases,
  await client.listRunRequests({ params: { id } }),
];

it('traces that arrive when a large run is finalized add to its details and hide none', async () => {
  await using server = await startTestServer({ runQuietMs: 400 });
  const { client } = server;
  const { testRunId: id, part } = await client.startRun({
    body: { projectName: newName(), startTime: minute(0) },
    headers: { 'idempotency-key': randomUUID() },
  });
  for (let batch = 0; batch < BATCHES; batch++) {
    const testCases = Array.from({ length: CASES_PER_BATCH }, (_, at) => caseOf(batch * CASES_PER_BATCH + at));
    await client.addResults({ params: { id }, body: { part, batch, testCases } });
  }
  const isFinalized = async () => (await valueOf(server, `SELECT sequence AS value FROM runs WHERE id = ${id}`)) >= 0;
  await until('the run is finalized', isFinalized);
  expect(await valueOf(server, `SELECT count(*) AS value FROM segments WHERE run_id = ${id}`)).toBeGreaterThan(1);
  const [before, requestsBefore] = await readAll(server, id);
  expect(before[0]!.networkRequests).toHaveLength(REQUESTS_PER_CASE);

  const files = [text('part', String(part))];
  const traced = [...before.keys()].filter((nth) => nth % 8 === 2);
  for (const nth of traced) files.push(file(`trace_${nth}`, await traceOf(nth)));
  const form = { method: 'POST', headers: formHeaders(), body: encodeForm(files) };
  expect((await fetch(`${server.url}/api/test-runs/${id}/files`, form)).status).toBe(200);
  await until(
    'the traces are read',
    async () => (await valueOf(server, "SELECT count(*) AS value FROM traces WHERE state = 'waiting'")) === 0,
  );

  const [after, requestsAfter] = await readAll(server, id);
  expect(after.map(({ console }) => console!.map(({ text }) => text))).toEqual(
    before.map((_, nth) => (traced.includes(nth) ? [`of case ${nth}`] : [])),
  );
  expect(after.map((testCase) => ({ ...testCase, console: [] }))).toEqual(before);
  expect(requestsAfter).toEqual(requestsBefore);
});
