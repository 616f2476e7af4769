import { type ClusterChange, MOST_CLUSTERS, endpoints, parseTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { readCursor, writeCursor } from '../../http/page.ts';
import { refusal } from '../../validation.ts';
import { actorOf } from '../audit/audit.ts';
import { isWebAddress } from '../projects/web-address.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { clustersRevision } from './cluster-index.ts';
import { clusterCommands } from './commands.ts';
import { listClusters } from './list-clusters.ts';
import { readCluster } from './read-cluster.ts';
import { listRunClusters } from './run-clusters.ts';
import { clusterNotFound, findCluster } from './update-cluster.ts';

export const clusterRoutes = (context: Context): Route[] => {
  const { queries, writer, clusterIndex } = context;
  const revisionOf = (projectId: number): Promise<string> => clustersRevision(context, projectId);
  const getCluster = async (id: number) => {
    const cluster = await findCluster(queries, id);
    if (!cluster) throw clusterNotFound(id);
    return cluster;
  };
  const getRun = async (id: number) => {
    const run = await queries.selectFrom('runs').select(['id', 'project_id']).where('id', '=', id).executeTakeFirst();
    if (!run) throw runNotFound(id);
    return run;
  };
  return [
    read(endpoints.listClusters, {
      revision: ({ params }) => revisionOf(params.id),
      async answer({ params, query: { state, q, limit = MOST_CLUSTERS, cursor } }) {
        const search = { state, q, limit, after: readCursor(cursor) };
        const unreadRuns = await clusterIndex.catchUp(params.id);
        const { clusters, next } = await listClusters(queries, params.id, search);
        return { body: { clusters, unreadRuns }, nextCursor: next && writeCursor(next) };
      },
    }),
    read(endpoints.getCluster, {
      revision: async ({ params }) => revisionOf((await getCluster(params.id)).project_id),
      async answer({ params, startLargeRead }) {
        const cluster = await getCluster(params.id);
        const unreadRuns = await clusterIndex.catchUp(cluster.project_id);
        return { body: await readCluster(context, cluster, { unreadRuns, startLargeRead }) };
      },
    }),
    action(endpoints.updateCluster, async ({ params, body, caller }) => {
      const change = readChange(body);
      const actor = actorOf(await caller());
      await writer.execute(clusterCommands.updateCluster, { clusterId: params.id, change, actor });
      return { success: true as const };
    }),
    read(endpoints.listRunClusters, {
      revision: async ({ params }) => revisionOf((await getRun(params.id)).project_id),
      async answer({ params }) {
        const run = await getRun(params.id);
        const unreadRuns = await clusterIndex.catchUp(run.project_id);
        return { body: { ...(await listRunClusters(queries, run)), unreadRuns } };
      },
    }),
  ];
};

/** What else a body has stays here: it may be nested too deep for a message. */
const readChange = ({ note, assignee, issueUrl, snoozedUntil, joinedTo }: ClusterChange): ClusterChange => {
  const issues = [
    ...(issueUrl?.trim() && !isWebAddress(issueUrl.trim())
      ? [{ path: '/issueUrl', message: 'must be an address that begins with http:// or https://' }]
      : []),
    ...(typeof snoozedUntil === 'string' && parseTime(snoozedUntil) === null
      ? [{ path: '/snoozedUntil', message: 'must be a time in ISO 8601' }]
      : []),
  ];
  if (issues.length > 0) throw refusal('invalid_body', issues);
  return { note, assignee, issueUrl, snoozedUntil, joinedTo };
};
