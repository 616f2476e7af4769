import type { Queries } from '../db/database.ts';
import type { JobKind, JobRow } from '../db/tables.ts';
import { AppError } from '../errors.ts';
import type { Writer } from '../writer/writer.ts';
import { jobCommands } from './commands.ts';
import { type JobFilter, findDueJob, findNextDueTime } from './queue.ts';

/** Does the jobs that wait in the database, in lanes: one at a time in each, and of a run one at a time in all. */
export interface JobRunner {
  start(handlers: JobHandlers): void;
  /** To be called when there may be a new job. */
  wake(): void;
  /** Aborts the running jobs and waits for them; they run again after the next start. */
  close(): Promise<void>;
}

/** With `more` the job goes to the end of the queue, so that other runs have their turn. */
export type JobHandler = (job: JobRow, signal: AbortSignal) => Promise<'done' | 'more'>;
export type JobHandlers = Record<JobKind, JobHandler>;

export interface JobRunnerOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  /** Whether other processes do jobs of the same database. */
  readonly isShared: boolean;
  readonly onFault: (fault: Error, job: JobRow | null) => void;
}

/** Short jobs must not wait for long ones. */
const LANES: readonly (readonly JobKind[])[] = [['finalize-run'], ['read-traces']];
const LONGEST_WAIT_MS = 60_000;
const AWAY_MS = 30_000;
/** Nobody is told of the jobs that another replica leaves behind. */
const SHARED_WAIT_MS = 5_000;
/** A replica that ended loses its jobs after this. */
const LEASE_MS = 60_000;

interface Lane {
  wake(): void;
  close(): Promise<void>;
}

export const createJobRunner = ({ queries, writer, isShared, onFault }: JobRunnerOptions): JobRunner => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const busyRuns = new Set<number>();
  let handlers: JobHandlers | null = null;
  const leaseMs = isShared ? LEASE_MS : 0;

  const doJob = async (job: JobRow): Promise<void> => {
    const { id: jobId } = job;
    if (!(await writer.execute(jobCommands.beginJob, { jobId, leaseMs }))) return;
    const renewing = isShared ? setInterval(() => void renew(jobId), LEASE_MS / 3).unref() : undefined;
    try {
      const end = await handlers![job.kind](job, signal);
      await writer.execute(end === 'done' ? jobCommands.finishJob : jobCommands.releaseJob, { jobId });
    } catch (error) {
      if (signal.aborted) {
        await writer.execute(jobCommands.releaseJob, { jobId });
        return;
      }
      onFault(error as Error, job);
      // However long the database or the file store is away, a job is none the worse for it.
      if (error instanceof AppError && error.code === 'unavailable') {
        await writer.execute(jobCommands.releaseJob, { jobId, afterMs: AWAY_MS });
        return;
      }
      await writer.execute(jobCommands.failJob, { jobId, problem: (error as Error).message });
    } finally {
      clearInterval(renewing);
    }
  };
  const renew = async (jobId: number): Promise<void> => {
    // A job that cannot be claimed for longer is done all the same: whoever does it too comes to the same end.
    await writer.execute(jobCommands.renewJob, { jobId, leaseMs }).catch(() => undefined);
  };

  const openLane = (kinds: readonly JobKind[]): Lane => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> | null = null;
    let wokenMeanwhile = false;

    const filter = (): JobFilter => ({ kinds, exceptRuns: [...busyRuns] });
    const doDueJobs = async (): Promise<void> => {
      do {
        wokenMeanwhile = false;
        const job = await findDueJob(queries, Date.now(), filter());
        if (signal.aborted) return;
        // Another lane may have taken the run while this one looked.
        if (!job || busyRuns.has(job.run_id)) continue;
        wokenMeanwhile = true;
        busyRuns.add(job.run_id);
        try {
          await doJob(job);
        } finally {
          busyRuns.delete(job.run_id);
          wakeAll();
        }
      } while (wokenMeanwhile);
      const dueAt = (await findNextDueTime(queries, Date.now(), filter())) ?? (isShared ? Infinity : null);
      if (dueAt !== null && !signal.aborted) {
        const longestMs = isShared ? SHARED_WAIT_MS : LONGEST_WAIT_MS;
        timer = setTimeout(wake, Math.min(Math.max(dueAt - Date.now(), 0), longestMs)).unref();
      }
    };
    const wake = (): void => {
      wokenMeanwhile = true;
      if (!handlers || running || signal.aborted) return;
      clearTimeout(timer);
      running = doDueJobs()
        .catch((error: Error) => {
          onFault(error, null);
          timer = setTimeout(wake, LONGEST_WAIT_MS).unref();
        })
        .finally(() => {
          running = null;
        });
    };
    return {
      wake,
      async close() {
        clearTimeout(timer);
        await running;
      },
    };
  };
  const lanes = LANES.map(openLane);
  const wakeAll = (): void => lanes.forEach(({ wake }) => wake());

  return {
    start(given) {
      handlers = given;
      wakeAll();
    },
    wake: wakeAll,
    async close() {
      stopping.abort();
      await Promise.all(lanes.map(({ close }) => close()));
    },
  };
};
