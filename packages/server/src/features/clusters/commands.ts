import { transactionCommand } from '../../writer/command.ts';
import { type StoreClusters, storeClusters } from './store-clusters.ts';
import { type UpdateCluster, updateCluster } from './update-cluster.ts';

export const clusterCommands = {
  /** Changes no answer: runs that are not stored so yet are read where they are needed. */
  storeClusters: transactionCommand('storeClusters', (transaction, input: StoreClusters) =>
    storeClusters(transaction, input),
  ),
  updateCluster: transactionCommand(
    'updateCluster',
    (transaction, input: UpdateCluster, { now }) => updateCluster(transaction, input, now),
    (projectId) => (projectId === null ? [] : [{ type: 'project', projectId }]),
  ),
};
