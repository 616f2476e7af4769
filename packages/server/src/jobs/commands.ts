import { transactionCommand } from '../writer/command.ts';
import { beginJob, failJob, finishJob, releaseJob } from './queue.ts';

interface OfJob {
  readonly jobId: number;
}

export const jobCommands = {
  beginJob: transactionCommand('beginJob', (transaction, { jobId }: OfJob, { now }) =>
    beginJob(transaction, jobId, now),
  ),
  finishJob: transactionCommand('finishJob', (transaction, { jobId }: OfJob) => finishJob(transaction, jobId)),
  failJob: transactionCommand(
    'failJob',
    (transaction, { jobId, problem }: OfJob & { readonly problem: string }, { now }) =>
      failJob(transaction, jobId, problem, now),
  ),
  releaseJob: transactionCommand('releaseJob', (transaction, { jobId }: OfJob, { now }) =>
    releaseJob(transaction, jobId, now),
  ),
};
