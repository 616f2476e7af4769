import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { S3Location } from '../../src/blobs/s3-location.ts';

export interface S3Request {
  readonly method: string;
  /** Decoded, with what follows the question mark. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** As it was sent. */
  readonly url: string;
}

/** What becomes of a request: it is answered so, cut off before or after it had its effect, or half of its answer is sent. */
export type Fate = 'pass' | 'cut' | 'cut-after' | 'cut-answer' | 'stall' | Answer;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export const refusal = (status: number, code: string): Answer => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});

export interface S3Proxy {
  /** The same place, through the proxy. */
  through(location: S3Location): S3Location;
  /** Decides about each request from now on. */
  fate: (request: S3Request, body: Buffer | null) => Fate | Promise<Fate>;
  /** All requests, in their order. */
  readonly seen: S3Request[];
  /** No longer listens, as if the server were away, until it is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Stands between a client and its S3 server. */
export const startS3Proxy = async (endpoint: string): Promise<S3Proxy> => {
  const server = createServer((incoming, response) => void handle(incoming, response));
  let port = 0;
  const proxy: S3Proxy = {
    through: (location) => ({ ...location, endpoint: `http://127.0.0.1:${port}` }),
    fate: () => 'pass',
    seen: [],
    async start() {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers, socket } = incoming;
    const described = { method, path: decodeURIComponent(url), headers, url };
    proxy.seen.push(described);
    const body = await buffer(incoming).catch(() => null);
    const fate = await proxy.fate(described, body);
    if (fate === 'stall') return;
    if (fate === 'cut' || body === null) return void socket.destroy();
    if (typeof fate === 'object') {
      return void response.writeHead(fate.status, { 'content-type': 'application/xml' }).end(fate.body);
    }
    const answered = await forward(endpoint, incoming, body);
    if (fate === 'cut-after') return void socket.destroy();
    response.writeHead(answered.status, answered.headers);
    if (fate === 'pass') return void response.end(answered.body);
    response.write(answered.body.subarray(0, answered.body.length / 2), () => setImmediate(() => socket.destroy()));
  };
  await proxy.start();
  return proxy;
};

/** With the headers as they are: they are signed. */
const forward = (
  endpoint: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(endpoint);
    const sent = request({ hostname, port, method, path: url, headers }, (got) => {
      buffer(got).then((content) => resolve({ status: got.statusCode!, headers: got.headers, body: content }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
