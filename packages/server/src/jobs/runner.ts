import type { Queries } from '../db/database.ts';
import type { JobKind, JobRow } from '../db/tables.ts';
import type { Writer } from '../writer/writer.ts';
import { jobCommands } from './commands.ts';
import { findDueJob, findNextDueTime } from './queue.ts';

/** Does the jobs that wait in the database, one at a time. */
export interface JobRunner {
  start(handlers: JobHandlers): void;
  /** To be called when there may be a new job. */
  wake(): void;
  /** Ends after the job that is being done was told to stop; it will be done again. */
  close(): Promise<void>;
}

export type JobHandlers = Record<JobKind, (job: JobRow, signal: AbortSignal) => Promise<void>>;

export interface JobRunnerOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly onFault: (fault: Error, job: JobRow | null) => void;
}

const LONGEST_WAIT_MS = 60_000;

export const createJobRunner = ({ queries, writer, onFault }: JobRunnerOptions): JobRunner => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let handlers: JobHandlers | null = null;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let wokenMeanwhile = false;

  const doJob = async (job: JobRow): Promise<void> => {
    if (!(await writer.execute(jobCommands.beginJob, { jobId: job.id }))) return;
    try {
      await handlers![job.kind](job, signal);
      await writer.execute(jobCommands.finishJob, { jobId: job.id });
    } catch (error) {
      if (signal.aborted) {
        await writer.execute(jobCommands.releaseJob, { jobId: job.id });
        return;
      }
      onFault(error as Error, job);
      await writer.execute(jobCommands.failJob, { jobId: job.id, problem: (error as Error).message });
    }
  };
  const doDueJobs = async (): Promise<void> => {
    do {
      wokenMeanwhile = false;
      for (let job = await findDueJob(queries, Date.now()); job; job = await findDueJob(queries, Date.now())) {
        await doJob(job);
        if (signal.aborted) return;
      }
    } while (wokenMeanwhile);
    const dueAt = await findNextDueTime(queries);
    if (dueAt !== null && !signal.aborted) {
      timer = setTimeout(wake, Math.min(Math.max(dueAt - Date.now(), 0), LONGEST_WAIT_MS)).unref();
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
    start(given) {
      handlers = given;
      wake();
    },
    wake,
    async close() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
};
