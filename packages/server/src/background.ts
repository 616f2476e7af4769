import type { FastifyBaseLogger } from 'fastify';
import { QUARANTINE_MS, sweepBlobs } from './blobs/sweep.ts';
import type { Context } from './context.ts';
import { accountCommands } from './features/accounts/commands.ts';
import { auditCommands } from './features/audit/commands.ts';
import { rereadCauses } from './features/causes/reread-causes.ts';
import { ingestCommands } from './features/ingest/commands.ts';
import { liveCommands } from './features/live/commands.ts';
import { createRunMover } from './features/moving/move-runs.ts';
import { keepOutlines } from './features/outlines/keep-outlines.ts';
import { partCommands } from './features/parts/commands.ts';
import { retentionCommands } from './features/retention/commands.ts';
import { dayOf } from './features/retention/storage-days.ts';
import { recheckDamaged } from './features/runs/recheck-damaged.ts';
import { createTraceJob } from './features/traces/read-traces.ts';
import { jobCommands } from './jobs/commands.ts';

const TIDY_INTERVAL_MS = 60 * 60 * 1000;
/** Of all replicas one sweeps the files: a little less, for no two intervals are alike. */
const SWEEP_CLAIM_MS = 50 * 60 * 1000;
/** Who looks at clusters reads what is new by himself: this is for projects that nobody looks at. */
const CLUSTER_INTERVAL_MS = 60 * 1000;
/** How often within the quiet time it is looked for runs that are quiet. */
const QUIET_CHECKS = 4;
const LONGEST_QUIET_CHECK_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface Background {
  stop(): Promise<void>;
}

/**
 * Removes what submissions staged that the end of the last process cut off. To be called before anything is read, for
 * it would be counted.
 */
export const discardCutOff = async (
  { queries, writer, writerStarted }: Context,
  logger: FastifyBaseLogger,
): Promise<void> => {
  const staged = await queries.selectFrom('staged_tests').select('first_id').limit(1).executeTakeFirst();
  if (!staged) return;
  try {
    await writerStarted;
    const count = await writer.execute(ingestCommands.discardStagedTests, null);
    if (count > 0) logger.info({ count }, 'removed tests of submissions that were cut off');
  } catch (error) {
    logger.error({ err: error }, 'removing tests of submissions that were cut off failed');
  }
};

/** Starts the scheduled work of the service. */
export const startBackground = (context: Context, logger: FastifyBaseLogger): Background => {
  const { blobs, queries, writer, traceReader, jobs, config, database, retention, clusterIndex } = context;
  const sweep = async (): Promise<void> => {
    try {
      if (!(await writer.execute(jobCommands.claimChore, { name: 'sweep', intervalMs: SWEEP_CLAIM_MS }))) return;
      const { quarantined, restored, removed, abandoned } = await sweepBlobs(blobs, queries, Date.now());
      if (quarantined > 0) {
        const days = QUARANTINE_MS / DAY_MS;
        logger.warn({ count: quarantined, days }, 'put files that no run has into quarantine; they are kept for days');
      }
      if (restored > 0) logger.info({ count: restored }, 'took files that a run has out of quarantine');
      if (removed.count > 0) logger.info(removed, 'removed files that were in quarantine for days');
      if (abandoned > 0) logger.info({ count: abandoned }, 'ended uploads into the file store that were cut off');
    } catch (error) {
      logger.error({ err: error }, 'sweeping files that no run has failed');
    }
  };
  const trim = async (): Promise<void> => {
    const { auditRetentionDays: days } = config;
    if (days === 0) return;
    try {
      const count = await writer.execute(auditCommands.trimAudit, { before: Date.now() - days * DAY_MS });
      if (count > 0) logger.info({ count, days }, 'removed old entries of the audit log');
    } catch (error) {
      logger.error({ err: error }, 'removing old entries of the audit log failed');
    }
  };
  const capSessions = async (): Promise<void> => {
    try {
      await writer.execute(accountCommands.capSessions, {});
    } catch (error) {
      logger.error({ err: error }, 'limiting the lifetime of sessions failed');
    }
  };
  const stopping = new AbortController();
  const recheck = async (): Promise<void> => {
    try {
      const count = await recheckDamaged({ queries, writer, signal: stopping.signal });
      if (count > 0) logger.info({ count }, 'runs that were marked as damaged can be read again');
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ err: error }, 'reading damaged runs again failed');
    }
  };
  const tidy = async (): Promise<void> => {
    await capSessions();
    await trim();
    await recheck();
    await sweep();
  };
  const retain = async (): Promise<void> => {
    try {
      const done = await retention.runIfDue();
      if (done && done.deletedRuns + done.freedBytes > 0) logger.info(done, 'deleted what is beyond retention limits');
    } catch (error) {
      logger.error({ err: error }, 'deleting what is beyond retention limits failed');
    }
  };
  const mover = createRunMover({
    ...context,
    afterDays: config.moveAfterDays,
    claimMs: config.retentionCheckMs,
  });
  const moveOldRuns = async (): Promise<void> => {
    try {
      const moved = await mover.runIfDue();
      if (moved && moved.runs > 0) logger.info(moved, 'moved results of old runs to the file store');
    } catch (error) {
      logger.error({ err: error }, 'moving results of old runs to the file store failed');
    }
  };
  const recordStorage = async (): Promise<void> => {
    try {
      const ofDisk = queries.selectFrom('storage_days').select('day').where('project_id', '=', 0);
      if (await ofDisk.where('day', '=', dayOf(Date.now())).executeTakeFirst()) return;
      const { blob_bytes } = await queries
        .selectFrom('storage_figures')
        .select('blob_bytes')
        .where('project_id', '=', 0)
        .executeTakeFirstOrThrow();
      // What is on a database server or in S3 takes nothing of the disk here.
      const databaseBytes = config.databaseUrl === null ? await database.sizeOnDisk() : 0;
      const diskBytes = databaseBytes + (config.s3 === null ? blob_bytes : 0);
      await writer.execute(retentionCommands.recordStorage, { diskBytes });
    } catch (error) {
      logger.error({ err: error }, 'recording how much is stored failed');
    }
  };
  const startedAt = Date.now();
  const timeOutParts = async (): Promise<void> => {
    const lastSeenBefore = Date.now() - config.runQuietMs;
    // No heartbeat could arrive while the service was down.
    if (lastSeenBefore < startedAt) return;
    try {
      const closed = await writer.execute(liveCommands.timeOutParts, { lastSeenBefore });
      for (const run of closed) logger.info(run, 'closed a run that nothing more was heard of');
      if (closed.length > 0) jobs.wake();
    } catch (error) {
      logger.error({ err: error }, 'closing runs that nothing more was heard of failed');
    }
  };
  const rereading = rereadCauses({ queries, writer, database: context.databaseAddress, signal: stopping.signal })
    .then((found) => found && logger.info('found the causes of all stored errors by the rules of this version'))
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) logger.error({ err: error }, 'finding the causes of stored errors failed');
    });
  const readClusters = async (): Promise<void> => {
    try {
      await clusterIndex.readAll(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ err: error }, 'reading which clusters of failures runs show failed');
    }
  };
  // After the causes: what they change would have to be read again.
  let clustering = rereading.then(readClusters);
  const clusterTimer = setInterval(() => {
    clustering = clustering.then(readClusters);
  }, CLUSTER_INTERVAL_MS).unref();
  const outlines = keepOutlines({
    queries,
    writer,
    events: context.events,
    database: context.databaseAddress,
    quietMs: config.outlineQuietMs,
    onFault: (error) => logger.error({ err: error }, 'making outlines of runs for queries failed'),
  });
  // Files only later, for a start is when the wrong database may be in place.
  let tidying = capSessions().then(trim).then(recheck);
  const timer = setInterval(() => {
    tidying = tidying.then(tidy);
  }, TIDY_INTERVAL_MS).unref();
  // At first only what is stored: a start is when the wrong database may be in place.
  let retaining = recordStorage();
  const retentionTimer = setInterval(() => {
    retaining = retaining.then(recordStorage).then(retain).then(moveOldRuns);
  }, config.retentionCheckMs).unref();
  let closing = Promise.resolve();
  const quietTimer = setInterval(
    () => {
      closing = closing.then(timeOutParts);
    },
    Math.min(config.runQuietMs / QUIET_CHECKS, LONGEST_QUIET_CHECK_MS),
  ).unref();
  jobs.start({
    'read-traces': createTraceJob({ queries, blobs, writer, reader: traceReader }),
    async 'finalize-run'({ run_id, project_id }) {
      await writer.execute(partCommands.finalizeRun, { runId: run_id });
      outlines.touch(project_id);
      return 'done';
    },
  });
  return {
    async stop() {
      clearInterval(timer);
      clearInterval(quietTimer);
      clearInterval(retentionTimer);
      clearInterval(clusterTimer);
      stopping.abort();
      await clustering;
      await outlines.stop();
      await jobs.close();
      await retention.close();
      await mover.close();
      await retaining;
      await tidying;
      await closing;
    },
  };
};
