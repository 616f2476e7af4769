import { connect } from 'node:net';
import type { UploadReply } from '@assay/contract';
import { createRandom, draws } from '@assay/testkit';
import { beforeAll, expect, it } from 'vitest';
import { emptyServer, type TestServer } from '../server.ts';
import { lengthPrefixedOf, rawZip, tarGzOf, zipOf } from './archives.ts';
import {
  type Part,
  UPLOAD,
  beside,
  encodeForm,
  file,
  formHeaders,
  readStored,
  sendForm,
  textFields,
  upload,
} from './form.ts';
import { expectNoFiles, filesIn, hashesOf, storedHashes } from './stored.ts';

const SEEDS = Array.from({ length: draws(1) }, (_, at) => at);
const WORKERS = 8;
const STEPS = 14;
const PAGE = '<!doctype html><title>Report</title>';

interface Stored {
  readonly answer: UploadReply;
  readonly files: Readonly<Record<string, Buffer>>;
  readonly traces: readonly Buffer[];
}

let server: TestServer;
beforeAll(async () => {
  server = await emptyServer();
});

type Random = ReturnType<typeof createRandom>;

const buildPool = (random: Random): Buffer[] =>
  Array.from({ length: 8 }, (_, index) => {
    const size = random.integer(1, 40_000);
    return index % 2 === 0
      ? Buffer.alloc(size, `${random.integer(0, 1_000_000)} text `)
      : Buffer.from(Array.from({ length: size }, () => random.integer(0, 255)));
  });

const buildUpload = async (random: Random, pool: readonly Buffer[]) => {
  const files: Record<string, Buffer> = { 'index.html': Buffer.from(PAGE) };
  for (let count = random.integer(0, 4); count > 0; count--) files[`${count}.bin`] = random.pick(pool);
  const pack = random.pick([zipOf, tarGzOf, lengthPrefixedOf]);
  const traces = Array.from({ length: random.integer(0, 2) }, () => random.pick(pool));
  const parts: Part[] = [
    file('report_html', await pack(files)),
    ...traces.map((content) => file('trace_1', content)),
    ...textFields('churn'),
  ];
  return { files, traces, parts: random.chance(0.5) ? parts : parts.toReversed() };
};

const goAway = (parts: readonly Part[], share: number): Promise<void> =>
  new Promise((resolve) => {
    const body = encodeForm(parts);
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const head = `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nContent-Type: ${formHeaders()['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.write(head);
    socket.write(body.subarray(0, Math.floor(body.length * share)), () => socket.resetAndDestroy());
  });

const work = async (random: Random, pool: readonly Buffer[], stored: Set<Stored>): Promise<void> => {
  for (let step = 0; step < STEPS; step++) {
    const { parts, ...contents } = await buildUpload(random, pool);
    const kind = random.integer(0, 9);
    if (kind < 5) {
      const answer = await upload(server, parts);
      stored.add({
        answer,
        ...contents,
        traces: parts[0]!.name === 'report_html' ? contents.traces : contents.traces.toReversed(),
      });
    } else if (kind < 8) {
      const victim = stored.values().next().value;
      if (victim === undefined) continue;
      stored.delete(victim);
      await server.client.deleteRun({ params: { id: victim.answer.testRunId } });
    } else if (kind === 8) {
      const answer = await sendForm(server, [...parts, file('report_bad', rawZip([{ name: '../a' }]))]);
      expect(answer.status).toBe(400);
    } else await goAway(parts, random.integer(10, 95) / 100);
  }
};

const expectWhole = async ({ answer, files, traces }: Stored): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    const served = await readStored(server, beside(answer.reportPath!, name));
    if (name === 'index.html') expect(String(served)).toContain('<title>Report</title>');
    else expect(served.equals(content), `${answer.testRunId} ${name}`).toBe(true);
  }
  expect(answer.traces).toHaveLength(traces.length);
  for (const [index, { path }] of answer.traces.entries()) {
    expect((await readStored(server, path)).equals(traces[index]!), path).toBe(true);
  }
};

it.each(SEEDS)('uploads and deletions at the same moment leave exactly what is in use (seed %s)', async (seed) => {
  const random = createRandom(`churn ${seed}`);
  const pool = buildPool(random);
  const stored = new Set<Stored>();
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(random.fork(worker), pool, stored)));
  expect(stored.size).toBeGreaterThan(0);

  const contents = [...stored].flatMap(({ files, traces }) => [...Object.values(files), ...traces]);
  await expect.poll(() => storedHashes(server.dataDir)).toEqual(hashesOf(contents));
  await expect.poll(() => filesIn(server.dataDir, 'staging')).toEqual([]);
  const { totalRuns, totalReports, totalTraces } = await server.client.getStats();
  const traceCount = [...stored].reduce((sum, { traces }) => sum + traces.length, 0);
  expect({ totalRuns, totalReports, totalTraces }).toEqual({
    totalRuns: stored.size,
    totalReports: stored.size,
    totalTraces: traceCount,
  });
  for (const one of stored) await expectWhole(one);

  await Promise.all([...stored].map(({ answer }) => server.client.deleteRun({ params: { id: answer.testRunId } })));
  await expectNoFiles(server.dataDir);
});
