import { type Socket, connect } from 'node:net';

/** A connection that is kept open and carries one request at a time, with little cost of its own. */
export interface Connection {
  send(request: Buffer): Promise<Response>;
  close(): void;
}

export interface Response {
  readonly status: number;
  readonly body: Buffer;
}

export const openConnection = async (url: string): Promise<Connection> => {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port: Number(port),
    noDelay: true,
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let waiting: { resolve(response: Response): void; reject(error: Error): void } | null = null;
  readResponses(socket, (response) => waiting?.resolve(response));
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The service closed the connection')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
};

const readResponses = (socket: Socket, onResponse: (response: Response) => void): void => {
  let chunks: Buffer[] = [];
  let received = 0;
  let expected = Infinity;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    received += chunk.length;
    if (expected === Infinity) expected = responseLength(chunks.length === 1 ? chunk : Buffer.concat(chunks));
    if (received < expected) return;
    const response = Buffer.concat(chunks);
    const headEnd = response.indexOf('\r\n\r\n') + 4;
    chunks = [];
    received = 0;
    expected = Infinity;
    onResponse({ status: Number(response.toString('latin1', 9, 12)), body: response.subarray(headEnd) });
  });
};

const responseLength = (start: Buffer): number => {
  const headEnd = start.indexOf('\r\n\r\n');
  if (headEnd < 0) return Infinity;
  const length = /content-length: (\d+)/i.exec(start.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('The bench reads only answers that have a length');
  return headEnd + 4 + Number(length);
};

export const getRequest = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`);

export const submitRequest = (body: Buffer): Buffer => bodyRequest('POST', '/api/test-runs/submit', body);

export const bodyRequest = (method: string, path: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]);
