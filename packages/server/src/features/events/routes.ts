import { Readable } from 'node:stream';
import { type HelloEvent, endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { ServiceEvent } from '../../events.ts';
import { clientAddress, networkOf } from '../../http/client-address.ts';
import { type Route, file } from '../../http/endpoint.ts';
import { version } from '../../version.ts';
import { allProjectsRevision } from '../projects/queries.ts';

const MOST_STREAMS = 1_000;
/** Many people may share an address, but none of them all streams. */
const MOST_STREAMS_OF_CLIENT = 100;
const MOST_UNREAD_BYTES = 64 * 1024;
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 3_000;
const REFUSED_RETRY_SECONDS = 30;

export interface EventStreams {
  readonly routes: Route[];
  /** Ends them at once: a stream would keep the service from stopping. */
  end(): void;
}

export const openEventStreams = ({ events, installationId, queries }: Context): EventStreams => {
  const streams = new Set<Readable>();
  const counts = new Map<string, number>();
  let heartbeat: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  const sendAll = (text: string): void => {
    const bytes = Buffer.from(text);
    for (const stream of streams) {
      if (stream.readableLength + bytes.byteLength > MOST_UNREAD_BYTES) stream.destroy();
      else stream.push(bytes);
    }
  };
  const requireRoom = (client: string): void => {
    if ((counts.get(client) ?? 0) >= MOST_STREAMS_OF_CLIENT) {
      const message = `One client may open at most ${MOST_STREAMS_OF_CLIENT} event streams`;
      throw new AppError('too_many_streams', message, undefined, REFUSED_RETRY_SECONDS);
    }
    if (streams.size >= MOST_STREAMS) {
      const message = 'Too many pages are listening for events; try again shortly';
      throw new AppError('unavailable', message, undefined, REFUSED_RETRY_SECONDS);
    }
  };
  const open = async (client: string): Promise<Readable> => {
    const revision = await allProjectsRevision(queries);
    const hello: HelloEvent = { version, installation: installationId, revision };
    requireRoom(client);
    const stream = new Readable({ read: () => undefined });
    streams.add(stream);
    counts.set(client, (counts.get(client) ?? 0) + 1);
    heartbeat ??= setInterval(() => sendAll(':\n\n'), HEARTBEAT_MS).unref();
    stopListening ??= events.subscribe((event) => sendAll(eventText(event)));
    stream.once('close', () => {
      streams.delete(stream);
      const left = counts.get(client)! - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
      if (streams.size === 0) stop();
    });
    stream.push(`retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`);
    return stream;
  };
  const stop = (): void => {
    clearInterval(heartbeat);
    stopListening?.();
    heartbeat = undefined;
    stopListening = undefined;
  };

  return {
    routes: [
      file(endpoints.streamEvents, async (_call, request, reply) => {
        reply
          .type('text/event-stream; charset=utf-8')
          .header('cache-control', 'no-store')
          // A proxy that buffers would hold events back.
          .header('x-accel-buffering', 'no')
          // When a stream ends its connection does too: an idle one would keep the service from stopping.
          .header('connection', 'close');
        return reply.send(request.method === 'HEAD' ? undefined : await open(networkOf(clientAddress(request))));
      }),
    ],
    end() {
      for (const stream of streams) stream.push(null);
    },
  };
};

const eventText = ({ type, ...data }: ServiceEvent): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
