import type { Queries } from '../db/database.ts';
import type { JobKind, JobRow } from '../db/tables.ts';

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 5_000;
const DELAY_FACTOR = 4;
const LONGEST_PROBLEM = 500;

export interface JobFilter {
  readonly kinds: readonly JobKind[];
  /** Runs whose jobs are left for later. */
  readonly exceptRuns: readonly number[];
}

/** The job that has waited longest of those that may be done now. */
export const findDueJob = (queries: Queries, now: number, filter: JobFilter): Promise<JobRow | undefined> =>
  freeJobs(queries, filter, now).selectAll().where('due_at', '<=', now).limit(1).executeTakeFirst();

export const findNextDueTime = async (queries: Queries, now: number, filter: JobFilter): Promise<number | null> => {
  const next = await freeJobs(queries, filter, now).select('due_at').limit(1).executeTakeFirst();
  return next?.due_at ?? null;
};

const ALL_JOBS: JobFilter = { kinds: ['finalize-run', 'read-traces'], exceptRuns: [] };

const waitingJobs = (queries: Queries, { kinds, exceptRuns }: JobFilter) => {
  const waiting = queries
    .selectFrom('jobs')
    .where('state', '=', 'waiting')
    .where('kind', 'in', kinds)
    .orderBy('due_at')
    .orderBy('id');
  return exceptRuns.length === 0 ? waiting : waiting.where('run_id', 'not in', exceptRuns);
};

/** Of runs that no other replica does a job of. */
const freeJobs = (queries: Queries, filter: JobFilter, now: number) =>
  waitingJobs(queries, filter).where(
    'run_id',
    'not in',
    queries.selectFrom('jobs').select('run_id').where('claimed_until', '>', now),
  );

export const countJobs = async (queries: Queries): Promise<Record<JobRow['state'], number>> => {
  const rows = await queries
    .selectFrom('jobs')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  const counts = { waiting: 0, failed: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
};

export const finishJob = async (transaction: Queries, jobId: number): Promise<void> => {
  await transaction.deleteFrom('jobs').where('id', '=', jobId).execute();
};

const CUT_SHORT = 'The service ended, or ran out of memory, before it was done';

/**
 * Counts an attempt before it starts and schedules the next with exponential backoff: a job that crashes the thread or
 * the process would otherwise be retried immediately, forever. Returns whether to run it: after the last attempt the job
 * is marked as failed and stays visible. Where others look for jobs too, it is claimed for a while.
 */
export const beginJob = async (
  transaction: Queries,
  { jobId, leaseMs }: { readonly jobId: number; readonly leaseMs: number },
  now: number,
): Promise<boolean> => {
  const job = await freeJobs(transaction, ALL_JOBS, now).select('attempts').where('id', '=', jobId).executeTakeFirst();
  if (!job) return false;
  const failed = job.attempts >= MAX_ATTEMPTS;
  const attempts = job.attempts + 1;
  await transaction
    .updateTable('jobs')
    .set(
      failed
        ? { state: 'failed' }
        : {
            attempts,
            due_at: now + delayAfter(attempts),
            problem: CUT_SHORT,
            claimed_until: leaseMs === 0 ? 0 : now + leaseMs,
          },
    )
    .where('id', '=', jobId)
    .execute();
  return !failed;
};

/** Says why an attempt went wrong, and puts the next one off from now. */
export const failJob = async (transaction: Queries, jobId: number, problem: string, now: number): Promise<void> => {
  const job = await transaction.selectFrom('jobs').select('attempts').where('id', '=', jobId).executeTakeFirst();
  if (!job) return;
  await transaction
    .updateTable('jobs')
    .set({
      state: job.attempts >= MAX_ATTEMPTS ? 'failed' : 'waiting',
      due_at: now + delayAfter(job.attempts),
      problem: problem.slice(0, LONGEST_PROBLEM),
      claimed_until: 0,
    })
    .where('id', '=', jobId)
    .execute();
};

const delayAfter = (attempts: number): number => FIRST_DELAY_MS * DELAY_FACTOR ** (attempts - 1);

/** Takes the attempt back that was begun, for it did not go wrong, and puts the job where those of a time are in the queue. */
export const releaseJob = async (transaction: Queries, jobId: number, dueAt: number): Promise<void> => {
  await transaction
    .updateTable('jobs')
    .set((row) => ({ attempts: row('attempts', '-', 1), due_at: dueAt, problem: null, claimed_until: 0 }))
    .where('id', '=', jobId)
    .execute();
};

/** Says that the job is still being done. */
export const renewJob = async (transaction: Queries, jobId: number, until: number): Promise<void> => {
  await transaction.updateTable('jobs').set({ claimed_until: until }).where('id', '=', jobId).execute();
};
