import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { UploadReply } from '@assay/contract';
import { expect } from 'vitest';
import { minute, newName, testCase } from '../conformance/build.ts';
import type { TestServer } from '../server.ts';

export const UPLOAD = '/api/test-runs/upload';

export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
  readonly type?: string;
}

export const text = (name: string, content: string): Part => ({ name, content });

export const file = (name: string, content: string | Uint8Array, filename = 'file.bin'): Part => ({
  name,
  content,
  filename,
  type: 'application/octet-stream',
});

export const json = (name: string, value: unknown): Part => text(name, JSON.stringify(value));

export const runFields = (overrides: object = {}): object => ({
  status: 'passed',
  startTime: minute(0),
  duration: 1_200,
  ...overrides,
});

/** The three text fields of a valid upload: a project of its own, and two cases. */
export const textFields = (projectName = newName()): Part[] => [
  text('projectName', projectName),
  json('testRun', runFields()),
  json('testCases', [testCase({ title: 'first' }), testCase({ title: 'second' })]),
];

export const BOUNDARY = 'assay-form-boundary';

export const encodeForm = (parts: readonly Part[], boundary = BOUNDARY): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, content, filename, type }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
          (filename === undefined ? '' : `; filename="${filename}"`) +
          (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
          '\r\n\r\n',
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

export const formHeaders = (headers: Record<string, string> = {}): Record<string, string> => ({
  'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  ...headers,
});

export const sendForm = (
  { url }: Pick<TestServer, 'url'>,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}${UPLOAD}`, {
    method: 'POST',
    headers: formHeaders(headers),
    body: encodeForm(parts),
  });

/** Sends a form that must be taken. */
export const upload = async (
  server: Pick<TestServer, 'url'>,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<UploadReply> => {
  const response = await sendForm(server, parts, headers);
  const answer = await response.text();
  expect(response.status, answer).toBe(200);
  return JSON.parse(answer) as UploadReply;
};

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Where `fetch` would tidy up the path, decode the body or set the host by itself. */
export const rawRequest = (
  { url }: Pick<TestServer, 'url'>,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sender = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sender.on('error', reject).end();
  });

export const filePath = (path: string): string => `/api/files/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The bytes of a stored file, as they are without any encoding. */
export const readStored = async (server: Pick<TestServer, 'url'>, path: string): Promise<Buffer> => {
  const reply = await rawRequest(server, filePath(path), { 'accept-encoding': 'identity' });
  expect(reply.status, path).toBe(200);
  return reply.body;
};

/** A file of the report whose entry page has this path. */
export const beside = (entry: string, name: string): string => `${entry.slice(0, entry.lastIndexOf('/') + 1)}${name}`;

/** Bytes that no other test has and that no archive or page begins with. */
export const uniqueBytes = (size = 64): Buffer => Buffer.concat([Buffer.from([1]), randomBytes(size - 1)]);
