import { connect } from 'node:net';
import { ErrorBody } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { lengthPrefixedOf, tarOf, zipOf } from './archives.ts';
import { type Part, UPLOAD, encodeForm, file, formHeaders, sendForm, text, textFields, uniqueBytes } from './form.ts';
import { expectNoFiles, expectNothingStored } from './stored.ts';

const FILE_LIMIT = 30_000;
const UPLOAD_LIMIT = 70_000;
const ARCHIVE_LIMITS = { maxEntries: 20, maxBytes: 60_000, maxFileBytes: 30_000, maxRatio: 50 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    maxFileBytes: FILE_LIMIT,
    maxUploadBytes: UPLOAD_LIMIT,
    archiveLimits: ARCHIVE_LIMITS,
  });
});
afterEach(async () => {
  for (const { id } of await server.client.listProjects()) {
    const { testRuns } = await server.client.getProject({ params: { id } });
    for (const run of testRuns) await server.client.deleteRun({ params: { id: run.id } });
  }
  await expectNoFiles(server.dataDir);
});
afterAll(() => server.stop());

const totalRuns = async (): Promise<number> => (await server.client.getStats()).totalRuns;

const expectTooLarge = async (answer: Response, limit: number): Promise<void> => {
  const { message } = await expectError(answer, 413, 'body_too_large');
  expect(message.replaceAll(/[,._\s]/g, '')).toContain(String(limit));
};

/** Without a length. */
const sendChunked = (parts: readonly Part[]): Promise<Response> => {
  const body = encodeForm(parts);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += 1_111) controller.enqueue(body.subarray(at, at + 1_111));
      controller.close();
    },
  });
  const init = { method: 'POST', headers: formHeaders(), body: stream, duplex: 'half' };
  return fetch(`${server.url}${UPLOAD}`, init as RequestInit);
};

const ways: [string, (parts: readonly Part[]) => Promise<Response>][] = [
  ['with a length', (parts) => sendForm(server, parts)],
  ['without a length', sendChunked],
];

/** A valid form of exactly so many bytes. */
const formOf = (size: number): Part[] => {
  const build = (filler: number): Part[] => [
    file('report_html', uniqueBytes(FILE_LIMIT)),
    file('report_blob', uniqueBytes(FILE_LIMIT)),
    ...textFields('limits'),
    file('trace_0', Buffer.alloc(filler, 1)),
  ];
  return build(size - encodeForm(build(0)).length);
};

describe.each(ways)('a request %s', (_, send) => {
  it.each(['report_html', 'trace_0', 'htmlReport'])('whose %s has just the limit is taken', async (name) => {
    const answer = await send([file(name, uniqueBytes(FILE_LIMIT)), ...textFields('limits')]);
    expect(answer.status).toBe(200);
  });

  it.each(['report_html', 'trace_0', 'htmlReport'])('whose %s has one byte more is refused', async (name) => {
    await expectTooLarge(await send([file(name, uniqueBytes(FILE_LIMIT + 1)), ...textFields('limits')]), FILE_LIMIT);
    expect(await totalRuns()).toBe(0);
  });

  it('of just the limit is taken', async () => {
    expect((await send(formOf(UPLOAD_LIMIT))).status).toBe(200);
  });

  it('of one byte more is refused', async () => {
    await expectTooLarge(await send(formOf(UPLOAD_LIMIT + 1)), UPLOAD_LIMIT);
    expect(await totalRuns()).toBe(0);
  });

  it('is limited in parts that are ignored too', async () => {
    const answer = await send([...textFields('limits'), file('unknown', uniqueBytes(UPLOAD_LIMIT))]);
    expect(answer.status).toBe(413);
  });

  it('is limited in its text fields too', async () => {
    const answer = await send([...textFields('limits'), text('report_label_html', 'x'.repeat(UPLOAD_LIMIT))]);
    expect([400, 413]).toContain(answer.status);
  });
});

/** Sends a head and some bytes, and no more; the answer must come nevertheless. */
const sendAndHold = (head: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answer = '';
    const done = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(10_000, () => reject(new Error('No answer')));
    socket.on('error', done).on('close', done);
    socket.on('data', (chunk) => {
      answer += String(chunk);
      if (answer.endsWith('}') || answer.endsWith('0\r\n\r\n')) done();
    });
    socket.write(head);
    socket.write(bytes);
  });

describe('at the byte that crosses the limit, while more is promised', () => {
  const head = `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nContent-Type: ${formHeaders()['content-type']}\r\n`;
  const body = (): Buffer => encodeForm([file('unknown', uniqueBytes(UPLOAD_LIMIT * 2))]).subarray(0, UPLOAD_LIMIT + 1);
  const errorBody = Compile(ErrorBody);
  const expectRefusal = (answer: string): void => {
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const error: unknown = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(errorBody.Check(error)).toBe(true);
  };

  it('the answer comes with a length', async () => {
    expectRefusal(await sendAndHold(`${head}Content-Length: 1000000000\r\n\r\n`, body()));
  });

  it('the answer comes without a length', async () => {
    const bytes = body();
    const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    expectRefusal(await sendAndHold(`${head}Transfer-Encoding: chunked\r\n\r\n`, chunk));
  });

  it('of a file the answer comes too', async () => {
    const bytes = encodeForm([file('report_html', uniqueBytes(FILE_LIMIT * 2))]).subarray(0, FILE_LIMIT + 500);
    expectRefusal(await sendAndHold(`${head}Content-Length: 69000\r\n\r\n`, bytes));
  });
});

describe('an archive', () => {
  const send = (content: Buffer): Promise<Response> =>
    sendForm(server, [file('report_html', content), file('trace_0', uniqueBytes()), ...textFields('limits')]);
  const manyFiles = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, `${index}`]));
  const noise = (count: number, size: number): Record<string, Buffer> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, Buffer.alloc(size, `${index}ab`)]));

  it.each([
    ['zip', zipOf],
    ['tar', tarOf],
    ['length-prefixed', lengthPrefixedOf],
  ])('%s with as many entries as are allowed is taken, with one more refused', async (_, pack) => {
    expect((await send(await pack(manyFiles(20)))).status).toBe(200);
    await expectError(await send(await pack(manyFiles(21))), 400, 'unsafe_archive');
  });

  it.each([
    ['zip', zipOf],
    ['length-prefixed', lengthPrefixedOf],
  ])('%s that inflates to more than is allowed is refused', async (_, pack) => {
    await expectError(await send(await pack(noise(5, 15_000))), 400, 'unsafe_archive');
    await expectError(await send(await pack(noise(1, 30_001))), 400, 'unsafe_archive');
  });
});

describe('a service that refused everything', () => {
  it('has stored nothing', async () => {
    await using other = await startTestServer({ maxFileBytes: FILE_LIMIT, maxUploadBytes: UPLOAD_LIMIT });
    const parts = [file('report_blob', uniqueBytes()), file('trace_0', uniqueBytes(FILE_LIMIT + 1)), ...textFields()];
    await expectTooLarge(await sendForm(other, parts), FILE_LIMIT);
    await expectNothingStored(other);
  });
});

it('a blob report of too many entries is refused, though it is never unpacked', async () => {
  const blobOf = (entries: number): Promise<Buffer> =>
    zipOf(Object.fromEntries(Array.from({ length: entries }, (_, index) => [`resources/${index}`, ''])));
  const send = async (entries: number): Promise<Response> =>
    sendForm(server, [file('report_blob', await blobOf(entries)), ...textFields('limits')]);
  expect((await send(ARCHIVE_LIMITS.maxEntries)).status).toBe(200);
  await expectError(await send(ARCHIVE_LIMITS.maxEntries + 1), 400, 'unsafe_archive');
});
