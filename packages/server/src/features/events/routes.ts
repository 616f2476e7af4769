import { Readable } from 'node:stream';
import { type HelloEvent, endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { ServiceEvent } from '../../events.ts';
import { type Route, file } from '../../http/endpoint.ts';
import { version } from '../../version.ts';
import { allProjectsRevision } from '../projects/queries.ts';

const MOST_STREAMS = 1_000;
const MOST_UNREAD_BYTES = 64 * 1024;
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 3_000;

export interface EventStreams {
  readonly routes: Route[];
  /** Ends them at once: a stream would keep the service from stopping. */
  end(): void;
}

export const openEventStreams = ({ events, installationId, queries }: Context): EventStreams => {
  const streams = new Set<Readable>();
  let heartbeat: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;

  const sendAll = (text: string): void => {
    const bytes = Buffer.from(text);
    for (const stream of streams) {
      if (stream.readableLength + bytes.byteLength > MOST_UNREAD_BYTES) stream.destroy();
      else stream.push(bytes);
    }
  };
  const open = async (): Promise<Readable> => {
    const revision = await allProjectsRevision(queries);
    const hello: HelloEvent = { version, installation: installationId, revision };
    if (streams.size >= MOST_STREAMS) {
      throw new AppError('unavailable', 'Too many pages are listening for events; try again shortly');
    }
    const stream = new Readable({ read: () => undefined });
    streams.add(stream);
    heartbeat ??= setInterval(() => sendAll(':\n\n'), HEARTBEAT_MS).unref();
    stopListening ??= events.subscribe((event) => sendAll(eventText(event)));
    stream.once('close', () => {
      streams.delete(stream);
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
        return reply.send(request.method === 'HEAD' ? undefined : await open());
      }),
    ],
    end() {
      for (const stream of streams) stream.push(null);
    },
  };
};

const eventText = ({ type, ...data }: ServiceEvent): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
