import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { type Socket, connect } from 'node:net';
import { type Row, megabytes } from './figures.ts';
import { bodyRequest, openConnection, submitRequest } from './http-client.ts';
import { rssRow, sendPatiently, settledRss, waitRow, watchRss, whileProbing } from './measuring.ts';
import { plainCases, plainRunBody } from './plain-runs.ts';
import type { BenchService } from './service.ts';

const BATCH = 10_000;
const READERS = 40;
/** Of these most open a connection, ask and never read. */
const SILENT = 30;
const SILENT_MS = 8_000;

/** One run with very many results, read by one client, and by many of which most do not read what they asked for. */
export const largeRunRows = async (service: BenchService, cases: number, smallRead: string): Promise<Row[]> => {
  const connection = await openConnection(service.url);
  await connection.send(submitRequest(plainRunBody({ projectName: 'small', run: 0, cases: 20 })));
  connection.close();
  const idle = await whileProbing(service, smallRead, () => pause(2_000));
  const peakOfStoring = watchRss(service);
  const runId = await sendLive(service.url, cases);
  const path = `/api/test-runs/${runId}?details=false`;
  const storing = peakOfStoring.stop();
  const one = await whileProbing(service, smallRead, () => readWhole(service.url, path));
  const peak = watchRss(service);
  const many = await whileProbing(service, smallRead, async () => {
    const silent = await Promise.all(Array.from({ length: SILENT }, () => askAndStaySilent(service.url, path)));
    await Promise.all(Array.from({ length: READERS - SILENT }, () => readWhole(service.url, path)));
    await pause(SILENT_MS);
    for (const socket of silent) socket.destroy();
  });
  const peakOfReading = peak.stop();
  return [
    { what: 'Longest wait for a small read when nothing else happens', measured: `${idle.longestMs.toFixed(1)} ms` },
    rssRow(`Peak RSS while ${cases} results are stored live`, storing),
    { what: 'Reading it whole', measured: `${megabytes(one.value.bytes)} in ${(one.value.ms / 1000).toFixed(2)} s` },
    waitRow('Longest wait of another client meanwhile', one),
    waitRow(`The same with ${READERS} readers, ${SILENT} of which do not read`, many),
    rssRow('Peak RSS of that', peakOfReading),
    rssRow('RSS afterwards', await settledRss(service)),
  ];
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const sendLive = async (url: string, cases: number): Promise<number> => {
  const connection = await openConnection(url);
  const post = async <T>(path: string, body: string): Promise<T> => {
    const answer = await sendPatiently(connection, bodyRequest('POST', path, Buffer.from(body)));
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.body.toString()}`);
    return JSON.parse(answer.body.toString()) as T;
  };
  const start = { projectName: 'large-run', startTime: '2020-01-01T00:00:00Z', runKey: randomUUID() };
  const { testRunId, part } = await post<{ testRunId: number; part: number }>(
    '/api/test-runs/start',
    JSON.stringify(start),
  );
  for (let batch = 0; batch * BATCH < cases; batch++) {
    const to = Math.min(cases, (batch + 1) * BATCH);
    const results = plainCases({ projectName: '', run: 0, cases }, batch * BATCH, to);
    await post(`/api/test-runs/${testRunId}/results`, `{"part":${part},"batch":${batch},"testCases":[${results}]}`);
  }
  await post(`/api/test-runs/${testRunId}/finish`, JSON.stringify({ part, status: 'failed' }));
  connection.close();
  return testRunId;
};

const readWhole = (url: string, path: string): Promise<{ readonly bytes: number; readonly ms: number }> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    get(`${url}${path}`, { agent: false }, (answer) => {
      if (answer.statusCode === 503) {
        answer.resume();
        setTimeout(() => void readWhole(url, path).then(resolve, reject), 500);
        return;
      }
      let bytes = 0;
      answer.on('data', (piece: Buffer) => (bytes += piece.length));
      answer.once('end', () => resolve({ bytes, ms: performance.now() - start }));
      answer.once('error', reject);
    }).once('error', reject);
  });

const askAndStaySilent = (url: string, path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`);
      resolve(socket);
    });
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });
