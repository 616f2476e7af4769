import type { IncomingMessage } from 'node:http';

const LONGEST_MS = 10_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * To be called once the answer is sent: what is left of a body is read and dropped, so that a client which is still sending
 * sees the answer. One that goes on for too long loses its connection.
 */
export const boundUnread = (request: IncomingMessage, stallMs: number): void => {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const destroy = (): void => void request.socket.destroy();
  const timer = setTimeout(destroy, Math.min(LONGEST_MS, stallMs));
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) destroy();
  });
  request.resume();
};
