import type { Queries } from '../db/database.ts';
import type { JobRow } from '../db/tables.ts';

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 5_000;
const DELAY_FACTOR = 4;
const LONGEST_PROBLEM = 500;

/** The job that has waited longest of those that may be done now. */
export const findDueJob = (queries: Queries, now: number): Promise<JobRow | undefined> =>
  queries
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

export const findNextDueTime = async (queries: Queries): Promise<number | null> => {
  const next = await queries
    .selectFrom('jobs')
    .select('due_at')
    .where('state', '=', 'waiting')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.due_at ?? null;
};

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

/** Puts a job that went wrong off, longer each time; after some attempts it has failed and stays to be seen. */
export const delayJob = async (transaction: Queries, jobId: number, problem: string, now: number): Promise<void> => {
  const job = await transaction.selectFrom('jobs').select('attempts').where('id', '=', jobId).executeTakeFirst();
  if (!job) return;
  const attempts = job.attempts + 1;
  await transaction
    .updateTable('jobs')
    .set({
      attempts,
      state: attempts >= MAX_ATTEMPTS ? 'failed' : 'waiting',
      due_at: now + FIRST_DELAY_MS * DELAY_FACTOR ** (attempts - 1),
      problem: problem.slice(0, LONGEST_PROBLEM),
    })
    .where('id', '=', jobId)
    .execute();
};
