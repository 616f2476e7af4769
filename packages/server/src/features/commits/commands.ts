import type { CommitsSent } from '@assay/contract';
import { transactionCommand } from '../../writer/command.ts';
import { storeCommits } from './store-commits.ts';

export const commitCommands = {
  storeCommits: transactionCommand(
    'storeCommits',
    (transaction, sent: CommitsSent, { now }) => storeCommits(transaction, sent, now),
    ({ changed, projectId }) => (changed ? [{ type: 'project', projectId }] : []),
  ),
};
