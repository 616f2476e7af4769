import { connect } from 'node:net';
import type { UploadReply } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { UPLOAD, beside, encodeForm, file, formHeaders, readStored, text, textFields, uniqueBytes } from './form.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const HEAD = `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${formHeaders()['content-type']}\r\n`;

const chunked = (body: Buffer, size: number): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([Buffer.from(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`), ...parts, Buffer.from('0\r\n\r\n')]);
};

/** Writes the bytes in pieces, each in a packet of its own as far as the system lets us. */
const send = (bytes: Buffer, pieces: number): Promise<UploadReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk)).on('error', reject);
    socket.on('close', () => {
      const answer = Buffer.concat(received).toString();
      const body = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
      if (answer.startsWith('HTTP/1.1 200 ')) resolve(JSON.parse(body) as UploadReply);
      else reject(new Error(answer));
    });
    const size = Math.ceil(bytes.length / pieces);
    const write = (at: number): void => {
      if (at < bytes.length) socket.write(bytes.subarray(at, at + size), () => setImmediate(write, at + size));
    };
    write(0);
  });

const form = async () => {
  const trace = uniqueBytes(5_000);
  const asset = `tricky \r\n--assay-form-boundar \r\n-- \r\n--\r\n ${'abc'.repeat(300)}`;
  const page = await zipOf({ 'index.html': '<!doctype html>', 'a.txt': asset }, { compress: false });
  const parts = [file('trace_1', trace), file('report_html', page), text('report_label_html', 'é🎉'), ...textFields()];
  return { trace, asset, body: encodeForm(parts) };
};

const expectWhole = async (answer: UploadReply, { trace, asset }: Awaited<ReturnType<typeof form>>): Promise<void> => {
  expect(answer.reports).toMatchObject([{ type: 'html', label: 'é🎉' }]);
  expect(await readStored(server, answer.traces[0]!.path)).toEqual(trace);
  expect(String(await readStored(server, beside(answer.reportPath!, 'a.txt')))).toBe(asset);
};

describe('a body without a length', () => {
  it.each([1, 2, 3, 7, 61, 1_000, 4_096, 1_000_000])('in chunks of %d bytes is read', async (size) => {
    const sent = await form();
    await expectWhole(await send(chunked(sent.body, size), 1), sent);
  });

  it.each([2, 13, 200])('in %d packets is read', async (pieces) => {
    const sent = await form();
    await expectWhole(await send(chunked(sent.body, 997), pieces), sent);
  });
});

describe('a body with a length', () => {
  it.each([1, 2, 13, 200])('in %d packets is read', async (pieces) => {
    const sent = await form();
    const head = Buffer.from(`${HEAD}Content-Length: ${sent.body.length}\r\n\r\n`);
    await expectWhole(await send(Buffer.concat([head, sent.body]), pieces), sent);
  });

  it('is awaited by a client that expects to be told to continue', async () => {
    const sent = await form();
    const head = Buffer.from(`${HEAD}Expect: 100-continue\r\nContent-Length: ${sent.body.length}\r\n\r\n`);
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    socket.on('data', (chunk) => {
      if (answer === '') socket.write(sent.body);
      answer += String(chunk);
    });
    socket.write(head);
    await new Promise((resolve) => socket.on('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });
});
