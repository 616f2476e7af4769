import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | Readable | null;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What the body says as JSON; null when it is none. */
  readonly body: unknown;
}

const CONNECT_MS = 5_000;
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * One request with a body that may be streamed. An answer that comes before all of the body is sent counts, and the rest
 * is not sent. Rejects when there is no answer.
 */
export const exchange = ({ method, url, headers, body, agent, signal }: HttpRequest): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = start(url, { method, headers, agent, signal });
    let answered = false;

    const fail = (error: Error): void => {
      if (answered) return;
      // The cause of a body that ended early is more telling than that it did.
      request.destroy();
      reject(error);
    };

    request.once('socket', (socket) => {
      if (!socket.connecting) return;
      const patience = setTimeout(
        () => request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
        CONNECT_MS,
      );
      for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(patience));
    });
    request.once('response', (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= LARGEST_ANSWER_BYTES) chunks.push(chunk);
      });
      response.on('error', reject);
      response.once('end', () => {
        if (!request.writableFinished) request.destroy();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: parseJson(Buffer.concat(chunks).toString()),
        });
      });
    });
    request.on('error', fail);

    if (body === null || Buffer.isBuffer(body)) request.end(body);
    else {
      pipeline(body, request, (error) => {
        if (error) fail(error);
      });
    }
  });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
