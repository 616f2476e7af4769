import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { newName, submission, testCase } from './build.ts';
import { SUBMIT, expectError, request, sendText } from './wire.ts';

const LIMIT = 20_000;

let server: TestServer;
let projectId: number;
beforeAll(async () => {
  server = await startTestServer({ maxBodyBytes: LIMIT });
  ({ projectId } = await server.client.submitRun({ body: submission() }));
});
afterAll(() => server.stop());

const bodies: [method: 'POST' | 'PUT' | 'DELETE', path: () => string][] = [
  ['POST', () => SUBMIT],
  ['PUT', () => `/api/projects/${projectId}`],
  ['DELETE', () => '/api/admin/cleanup'],
];

describe.each(bodies)('a body of %s', (method, path) => {
  it.each([
    '{',
    '{"projectName": ',
    'not json',
    '{"a": NaN}',
    '{"a": Infinity}',
    "{'a': 1}",
    '{"a": 1,}',
    '{} {}',
    '\u0000',
  ])('that is malformed JSON is an invalid body: %j', async (text) => {
    await expectError(await sendText(server, method, path(), text), 400, 'invalid_body');
  });

  it('that is empty is an invalid body', async () => {
    await expectError(await sendText(server, method, path(), ''), 400, 'invalid_body');
  });

  it.each(['[]', '"text"', 'null', '7'])('that is no object is an invalid body: %s', async (text) => {
    await expectError(await sendText(server, method, path(), text), 400, 'invalid_body');
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'text/html',
  ])('of type %s is an unsupported media type', async (type) => {
    const response = await sendText(server, method, path(), '{}', { 'content-type': type });
    await expectError(response, 415, 'unsupported_media_type');
  });

  it.each(['gzip', 'br', 'gzip, identity'])('that is said to be compressed by %s is refused', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const error = await expectError(
      await sendText(server, method, path(), '{}', headers),
      415,
      'unsupported_media_type',
    );
    expect(error.message).toContain('Content-Encoding');
  });

  it('that is said to be as it is, is read', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    await expectError(await sendText(server, method, path(), '{', headers), 400, 'invalid_body');
  });

  it('of a type that is no type is refused with a 4xx', async () => {
    const response = await sendText(server, method, path(), '{}', { 'content-type': 'nonsense' });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });

  it('that is too large is 413 with the limit in the message', async () => {
    const text = JSON.stringify({ label: 'x'.repeat(LIMIT) });
    const error = await expectError(await sendText(server, method, path(), text), 413, 'body_too_large');
    expect(error.message.replaceAll(/[,._\s]/g, '')).toContain(String(LIMIT));
  });

  it('that is too large and chunked, without a length, is 413 as well', async () => {
    const error = await expectError(
      await sendChunks(method, path(), JSON.stringify({ label: 'x'.repeat(2 * LIMIT) })),
      413,
    );
    expect(error.code).toBe('body_too_large');
  });
});

describe('the size limit', () => {
  const padded = (bytes: number, projectName: string): string => {
    const body = { ...submission({ projectName }), padding: '' };
    return JSON.stringify({ ...body, padding: 'x'.repeat(bytes - JSON.stringify(body).length) });
  };

  it('admits a body of exactly that many bytes and refuses one byte more', async () => {
    expect((await sendText(server, 'POST', SUBMIT, padded(LIMIT, newName()))).status).toBe(200);
    await expectError(await sendText(server, 'POST', SUBMIT, padded(LIMIT + 1, newName())), 413, 'body_too_large');
  });

  it('counts bytes, not characters', async () => {
    const text = JSON.stringify({ ...submission(), padding: '😀'.repeat(LIMIT / 4) });
    expect(text.length).toBeLessThan(LIMIT);
    await expectError(await sendText(server, 'POST', SUBMIT, text), 413, 'body_too_large');
  });

  it('admits a chunked body below it', async () => {
    const projectName = newName();
    const response = await sendChunks(
      'POST',
      SUBMIT,
      JSON.stringify(submission({ projectName, testCases: [testCase()] })),
    );
    expect(response.status).toBe(200);
  });

  it('stores nothing of a body that exceeds it, and the service goes on', async () => {
    const projectName = newName();
    await expectError(await sendText(server, 'POST', SUBMIT, padded(3 * LIMIT, projectName)), 413);
    await expectError(await sendChunks('POST', SUBMIT, padded(3 * LIMIT, projectName)), 413);
    expect((await server.client.listProjects()).map((project) => project.name)).not.toContain(projectName);
    expect((await server.client.submitRun({ body: submission() })).success).toBe(true);
  });
});

const CHUNK = 1_000;

/** A stream has no length, so it travels chunked. */
const sendChunks = (method: string, path: string, text: string): Promise<Response> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + CHUNK));
      at += CHUNK;
    },
  });
  return request(server, path, { method, body, duplex: 'half', headers: { 'content-type': 'application/json' } });
};
