import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../robustness/raw-http.ts';
import { until } from '../robustness/service-process.ts';
import { emptyServer, startTestServer, type TestServer } from '../server.ts';
import { tarGzOf, zipOf } from './archives.ts';
import { UPLOAD, encodeForm, file, formHeaders, textFields, uniqueBytes, upload } from './form.ts';
import { expectNothingStored, filesIn } from './stored.ts';

const STALL_MS = 500;

let server: TestServer;
let stalling: TestServer;
beforeAll(async () => {
  server = await emptyServer();
  stalling = await startTestServer({ stallMs: STALL_MS });
});
afterAll(() => stalling.stop());

const head = (framing: string): string =>
  `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nContent-Type: ${formHeaders()['content-type']}\r\n${framing}\r\n\r\n`;

const formBody = async (): Promise<Buffer> =>
  encodeForm([
    file('report_html', await zipOf({ 'index.html': '<!doctype html>', 'a.bin': uniqueBytes(8_000) })),
    file('trace_0', uniqueBytes(3_000)),
    file('report_other', await tarGzOf({ 'index.html': '<!doctype html>', 'b.bin': uniqueBytes(3_000) })),
    ...textFields(),
  ]);

/** Sends what there is and then goes away without a word. */
const sendAndReset = (url: string, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 10));
  });

const open = (url: string, bytes: Buffer) => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  const closed = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => resolve(answer)).on('close', () => resolve(answer));
  });
  socket.write(bytes);
  return { socket, closed };
};

describe('a client that goes away', () => {
  it.each([
    ['by a reset', sendAndReset],
    ['by closing its side', async (url: string, bytes: Buffer) => void (await exchange(url, bytes))],
  ])('%s at any byte leaves nothing', async (_, leave) => {
    const body = await formBody();
    const request = Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]);
    const cuts = Array.from({ length: 48 }, (_, index) => Math.floor(((request.length - 1) * (index + 1)) / 48));
    for (let at = 0; at < cuts.length; at += 6) {
      await Promise.all(cuts.slice(at, at + 6).map((cut) => leave(server.url, request.subarray(0, cut))));
    }
    await expectNothingStored(server);
  });

  it('in the middle of chunks leaves nothing', async () => {
    const body = await formBody();
    const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
    const request = Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), chunk]);
    await Promise.all(
      [1, 2, 3, 4].map((share) => sendAndReset(server.url, request.subarray(0, (request.length * share) >> 2))),
    );
    await expectNothingStored(server);
  });

  it('after a whole file was staged leaves nothing', async () => {
    const body = encodeForm([file('report_html', uniqueBytes(2_000_000))]);
    const { socket, closed } = open(
      server.url,
      Buffer.concat([Buffer.from(head('Content-Length: 9000000')), body.subarray(0, -30)]),
    );
    await until('the service has a part of it', () => filesIn(server.dataDir, 'staging').length > 0);
    socket.resetAndDestroy();
    await closed;
    await expectNothingStored(server);
  });

  it('never makes the storage statistics fail', async () => {
    const body = await formBody();
    const request = Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body.subarray(0, -1_000)]);
    for (let round = 0; round < 12; round++) {
      await Promise.all(Array.from({ length: 6 }, () => sendAndReset(server.url, request)));
      for (let again = 0; again < 5; again++) await server.client.getStats();
    }
  });

  it('does not keep the next one from being served', async () => {
    const body = await formBody();
    const request = Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body.subarray(0, 5_000)]);
    await Promise.all(Array.from({ length: 40 }, () => sendAndReset(server.url, request)));
    const { testRunId } = await upload(server, textFields());
    expect(await server.client.deleteRun({ params: { id: testRunId } })).toEqual({ success: true });
  });
});

describe('a client that stalls', () => {
  it('anywhere is answered 408 and leaves nothing', async () => {
    const body = await formBody();
    const start = Buffer.from(head(`Content-Length: ${body.length}`));
    const places = { 'before its first byte': 0, 'in the head of a part': 40, 'in a file': 4_000, 'near the end': -3 };
    await Promise.all(
      Object.entries(places).map(async ([place, sent]) => {
        const answer = await open(stalling.url, Buffer.concat([start, body.subarray(0, sent)])).closed;
        expect(answer, place).toMatch(/^HTTP\/1\.1 408 /);
        expect(answer, place).toContain('"code":"request_timeout"');
      }),
    );
    await expectNothingStored(stalling);
  });

  it('without a length is answered 408', async () => {
    const { closed } = open(stalling.url, Buffer.from(`${head('Transfer-Encoding: chunked')}5\r\n--ass\r\n`));
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
    await expectNothingStored(stalling);
  });

  it('is not one that is slow but never stops', async () => {
    await using slow = await startTestServer({ stallMs: 2_500 });
    const body = await formBody();
    const { socket, closed } = open(slow.url, Buffer.from(head(`Connection: close\r\nContent-Length: ${body.length}`)));
    const step = Math.ceil(body.length / 14);
    for (let at = 0; at < body.length; at += step) {
      await delay(200);
      socket.write(body.subarray(at, at + step));
    }
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
  });
});
