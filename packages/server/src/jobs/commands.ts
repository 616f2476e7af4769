import { transactionCommand } from '../writer/command.ts';
import { type ClaimChore, claimChore } from './chores.ts';
import { beginJob, failJob, finishJob, releaseJob, renewJob } from './queue.ts';

interface OfJob {
  readonly jobId: number;
}

interface OfLease extends OfJob {
  /** How long nobody else takes it; 0 where there is nobody else. */
  readonly leaseMs: number;
}

export const jobCommands = {
  claimChore: transactionCommand('claimChore', (transaction, chore: ClaimChore, { now }) =>
    claimChore(transaction, chore, now),
  ),
  beginJob: transactionCommand('beginJob', (transaction, job: OfLease, { now }) => beginJob(transaction, job, now)),
  renewJob: transactionCommand('renewJob', (transaction, { jobId, leaseMs }: OfLease, { now }) =>
    renewJob(transaction, jobId, now + leaseMs),
  ),
  finishJob: transactionCommand('finishJob', (transaction, { jobId }: OfJob) => finishJob(transaction, jobId)),
  failJob: transactionCommand(
    'failJob',
    (transaction, { jobId, problem }: OfJob & { readonly problem: string }, { now }) =>
      failJob(transaction, jobId, problem, now),
  ),
  releaseJob: transactionCommand(
    'releaseJob',
    (transaction, { jobId, afterMs = 0 }: OfJob & { readonly afterMs?: number }, { now }) =>
      releaseJob(transaction, jobId, now + afterMs),
  ),
};
