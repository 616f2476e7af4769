import type { FastifyBaseLogger } from 'fastify';
import { sweepBlobs } from './blobs/sweep.ts';
import type { Context } from './context.ts';
import { createTraceJob } from './features/traces/read-traces.ts';

const SWEEP_INTERVAL_MS = 60 * 60 * 1000;

export interface Background {
  stop(): Promise<void>;
}

/** What the service does without being asked. */
export const startBackground = (context: Context, logger: FastifyBaseLogger): Background => {
  const { blobs, queries, writer, traceReader, jobs } = context;
  const sweep = async (): Promise<void> => {
    try {
      const { count, freedBytes } = await sweepBlobs(blobs, queries);
      if (count > 0) logger.info({ count, freedBytes }, 'removed files that no run has');
    } catch (error) {
      logger.error({ err: error }, 'removing files that no run has failed');
    }
  };
  let sweeping = sweep();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, SWEEP_INTERVAL_MS).unref();
  jobs.start({ 'read-traces': createTraceJob({ queries, blobs, writer, reader: traceReader }) });
  return {
    async stop() {
      clearInterval(timer);
      await jobs.close();
      await sweeping;
    },
  };
};
