import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { ON_POSTGRES } from '../server.ts';

const HANGS_AFTER_MS = 15_000;

export interface RawAnswer {
  /** Null when the connection was closed without an answer. */
  readonly status: number | null;
  readonly head: string;
  readonly body: string;
}

/** Sends these bytes, whatever they are, and reads until the other side closes. Rejects when it never does. */
export const exchange = (url: string, bytes: string | Uint8Array): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const finish = (): void => {
      socket.destroy();
      resolve(answersIn(chunks)[0] ?? { status: null, head: '', body: '' });
    };
    socket.setTimeout(HANGS_AFTER_MS, () => {
      socket.destroy();
      reject(new Error(`No end of an answer to ${JSON.stringify(String(bytes).slice(0, 500))}`));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('error', finish);
    socket.write(bytes);
    // Node's server gives up on an answer when the other side is closed before it is made, which PostgreSQL takes longer for.
    setTimeout(() => socket.end(), ON_POSTGRES ? 250 : 0);
  });

/**
 * Sends a submission on a connection, pauses in the middle of its body, and then sends the rest together with a second
 * request. Answers what came back for each, as far as anything came.
 */
export const exchangeHeld = async (url: string, body: Uint8Array, pause: () => Promise<void>): Promise<RawAnswer[]> => {
  const { host, hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
  socket.write(
    `POST /api/test-runs/submit HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length >> 1));
  await pause();
  socket.write(body.subarray(body.length >> 1));
  socket.write(`GET /api/projects HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await closed;
  return answersIn(chunks);
};

/** Sends a request and, as soon as its answer begins, more; answers everything that came until the connection closed. */
export const sendBehind = async (url: string, text: string, more: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).once('data', () => socket.write(more));
  socket.write(text);
  await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
};

const answersIn = (chunks: readonly Buffer[]): RawAnswer[] =>
  Buffer.concat(chunks)
    .toString('latin1')
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((text) => text !== '' && !text.startsWith('HTTP/1.1 100 '))
    .map((text) => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1];
      return { status: status === undefined ? null : Number(status), head, body: rest.join('\r\n\r\n') };
    });

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A request whose body is on its way: some of it was sent, the rest waits. */
export interface HeldRequest {
  /** The part was handed to the system. */
  readonly sent: Promise<void>;
  readonly answer: Promise<Answer>;
  /** Resolves when the rest was handed to the system. */
  finish(): Promise<void>;
  destroy(): void;
}

export interface HeldOptions {
  readonly keepAlive?: boolean;
  readonly sentBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Without a length, so the body travels chunked. */
export const holdSubmission = (
  url: string,
  body: Uint8Array,
  { keepAlive = false, sentBytes = body.length >> 1, headers = {} }: HeldOptions = {},
): HeldRequest => {
  const agent = new Agent({ keepAlive });
  const sender = request(new URL('/api/test-runs/submit', url), {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const sent = new Promise<void>((resolve) => sender.write(body.subarray(0, sentBytes), () => resolve()));
  return {
    sent,
    answer: answerOf(sender),
    finish: () => new Promise((resolve) => sender.end(body.subarray(sentBytes), resolve)),
    destroy: () => void sender.destroy(),
  };
};

const CHUNK_BYTES = 64 * 1024;

/** Sends so many bytes in chunks, no faster than they are taken, and stops when the answer comes. */
export const sendEndless = (url: string, path: string, bytes: number): Promise<Answer> => {
  const sender = request(new URL(path, url), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  const chunk = Buffer.alloc(CHUNK_BYTES, ' ');
  let left = bytes;
  const more = (): void => {
    while (left > 0) {
      left -= chunk.length;
      if (!sender.write(chunk)) return void sender.once('drain', more);
    }
    sender.end();
  };
  sender.once('response', () => (left = 0));
  more();
  return answerOf(sender);
};

const answerOf = (sender: ClientRequest): Promise<Answer> =>
  new Promise<Answer>((resolve, reject) => {
    sender.on('error', reject);
    sender.on('response', (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode!, body }));
    });
  });
