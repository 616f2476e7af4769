import { type ClusterChange, parseTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ClusterRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { refusal } from '../../validation.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { refreshClusters } from './store-clusters.ts';

export const clusterNotFound = (id: number): AppError =>
  new AppError('cluster_not_found', `There is no cluster ${id}; its runs may have been deleted`);

export interface UpdateCluster {
  readonly clusterId: number;
  readonly change: ClusterChange;
  readonly actor: Actor;
}

/** Returns the project of the cluster; null when it was so already. */
export const updateCluster = async (
  transaction: Queries,
  { clusterId, change: { joinedTo, ...fields }, actor }: UpdateCluster,
  now: number,
): Promise<number | null> => {
  const before = await findCluster(transaction, clusterId);
  if (!before) throw clusterNotFound(clusterId);
  const columns = Object.entries(columnsOf(fields)).filter(([column, value]) => value !== before[column as Annotated]);
  const isJoining = joinedTo !== undefined && joinedTo !== before.joined_to;
  if (isJoining) await join(transaction, before, joinedTo);
  if (columns.length > 0) {
    await transaction
      .updateTable('clusters')
      .set(Object.fromEntries(columns))
      .where('project_id', '=', before.project_id)
      .where('id', '=', clusterId)
      .execute();
  }
  if (!isJoining && columns.length === 0) return null;
  await raiseRevision(transaction, before.project_id, now);
  const details = {
    projectId: before.project_id,
    ...(columns.length > 0 && { changed: columns.map(([column]) => column) }),
    ...(isJoining && { joinedTo }),
  };
  await audit(transaction, actor, { action: 'cluster.update', subject: `cluster ${clusterId}`, details }, now);
  return before.project_id;
};

export const findCluster = (queries: Queries, id: number): Promise<ClusterRow | undefined> =>
  queries.selectFrom('clusters').selectAll().where('id', '=', id).executeTakeFirst();

type Annotated = 'note' | 'assignee' | 'issue_url' | 'snoozed_until';

const columnsOf = ({ note, assignee, issueUrl, snoozedUntil }: Omit<ClusterChange, 'joinedTo'>) => ({
  ...(note === undefined ? {} : { note: note?.trim().toWellFormed() || null }),
  ...(assignee === undefined ? {} : { assignee: assignee?.trim().toWellFormed() || null }),
  ...(issueUrl === undefined ? {} : { issue_url: issueUrl?.trim().toWellFormed() || null }),
  ...(snoozedUntil === undefined ? {} : { snoozed_until: snoozedUntil === null ? null : parseTime(snoozedUntil) }),
});

/** Those that were joined with it come along, and are joined with the new one directly. */
const join = async (transaction: Queries, cluster: ClusterRow, joinedTo: number | null): Promise<void> => {
  const { id, project_id: projectId } = cluster;
  const head = joinedTo === null ? null : await findHead(transaction, cluster, joinedTo);
  await transaction
    .updateTable('clusters')
    .set({ joined_to: head, listed_at: null })
    .where('project_id', '=', projectId)
    .where((row) => (head === null ? row('id', '=', id) : row.or([row('id', '=', id), row('joined_to', '=', id)])))
    .execute();
  const heads = [id, head, cluster.joined_to].filter((some) => some !== null);
  await refreshClusters(transaction, projectId, heads);
};

const findHead = async (transaction: Queries, cluster: ClusterRow, joinedTo: number): Promise<number> => {
  const other = await findCluster(transaction, joinedTo);
  if (!other || other.project_id !== cluster.project_id) throw refuse('is no cluster of this project');
  const head = other.joined_to ?? other.id;
  if (head === cluster.id) throw refuse('is this cluster, or was joined with it');
  return head;
};

const refuse = (message: string): AppError => refusal('invalid_body', [{ path: '/joinedTo', message }]);
