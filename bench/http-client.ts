import { connect } from 'node:net';

/** A connection that is kept open and carries one request at a time, with little cost of its own. */
export interface Connection {
  send(request: Buffer): Promise<Response>;
  close(): void;
}

export interface Response {
  readonly status: number;
  /** Until the next request is sent: its memory is used again. */
  readonly body: Buffer;
}

const RECEIVE_BYTES = 256 * 1024;

export const openConnection = async (url: string): Promise<Connection> => {
  const { hostname, port } = new URL(url);
  let waiting: { resolve(response: Response): void; reject(error: Error): void } | null = null;
  const receive = receiveInto((response) => waiting?.resolve(response));
  const socket = connect({
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port: Number(port),
    noDelay: true,
    // Buffers of its own for each piece would have the client collect garbage while it measures.
    onread: { buffer: Buffer.allocUnsafe(RECEIVE_BYTES), callback: receive },
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
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

/** Puts the pieces of an answer together, always in the same memory. */
const receiveInto = (onResponse: (response: Response) => void) => {
  let memory = Buffer.allocUnsafe(2 * RECEIVE_BYTES);
  let received = 0;
  let headEnd = 0;
  let expected = Infinity;
  let chunked = false;
  const finish = (body: Buffer): void => {
    const status = Number(memory.toString('latin1', 9, 12));
    received = 0;
    expected = Infinity;
    chunked = false;
    onResponse({ status, body });
  };
  return (bytes: number, piece: Uint8Array): boolean => {
    if (received + bytes > memory.length) {
      const larger = Buffer.allocUnsafe(2 * (received + bytes));
      memory.copy(larger, 0, 0, received);
      memory = larger;
    }
    memory.set(piece.subarray(0, bytes), received);
    received += bytes;
    if (expected === Infinity && !chunked) {
      headEnd = memory.subarray(0, received).indexOf('\r\n\r\n') + 4;
      if (headEnd < 4) return true;
      const head = memory.toString('latin1', 0, headEnd);
      chunked = /transfer-encoding: chunked/i.test(head);
      if (!chunked) expected = headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    }
    // One request at a time, and no body holds a raw line break of its own: what ends like the last piece is the last.
    if (chunked && memory.subarray(received - LAST_PIECE.length, received).equals(LAST_PIECE))
      finish(joinPieces(memory.subarray(headEnd, received)));
    else if (received >= expected) finish(memory.subarray(headEnd, expected));
    return true;
  };
};

const LAST_PIECE = Buffer.from('\r\n0\r\n\r\n');

/** The body of an answer that came in pieces, each after its length. */
const joinPieces = (framed: Buffer): Buffer => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < framed.length;) {
    const lineEnd = framed.indexOf('\r\n', at);
    const length = Number.parseInt(framed.toString('latin1', at, lineEnd), 16);
    if (length === 0) break;
    pieces.push(framed.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(pieces);
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
