import type { Cluster, QueryReply } from '@assay/contract';
import { clusterRow } from '@assay/contract/filter';
import { printFilter } from '@assay/contract/filter-sql';
import type { Context } from '../../context.ts';
import { CLUSTERS_AT_ONCE, listHeads, placeOf } from '../clusters/list-clusters.ts';
import { listJudgingRuns, presentClusters, readGroups } from '../clusters/present-clusters.ts';
import { getProjectRow } from '../projects/queries.ts';
import { createBudget } from './budget.ts';
import { comparison } from './candidates.ts';
import { presentGroups, startGroups } from './groups.ts';
import { holds } from './holds.ts';
import { writePosition } from './position.ts';
import type { Order, Question } from './question.ts';
import type { ScanCall } from './scan-runs.ts';

/** The last seen ones are looked at; an installation has hardly more. */
const MOST_QUERIED = 5_000;

/** Clusters of failures that a filter finds. */
export const queryClusters = async (
  { queries, clusterIndex }: Context,
  call: ScanCall,
  question: Question & { readonly projectId: number },
): Promise<QueryReply> => {
  const { projectId, filter, figures, by, limit, order, after } = question;
  await getProjectRow(queries, projectId);
  await clusterIndex.catchUp(projectId);
  const gone = call.untilGone();
  const judging = await listJudgingRuns(queries, projectId);
  const budget = createBudget();
  const found: Cluster[] = [];
  let rows = 0;
  let isComplete = false;
  for (let from: ReturnType<typeof placeOf> | null = null; rows < MOST_QUERIED && !isComplete;) {
    gone.throwIfAborted();
    const heads = await listHeads(queries, projectId, from);
    const groups = await readGroups(queries, projectId, heads);
    const clusters = await presentClusters(queries, projectId, groups, judging);
    await budget.each(clusters.length, (at) => {
      const cluster = clusters[at]!;
      if (isInWindow(cluster, question) && (filter.isEmpty || holds(filter.predicate, clusterRow(cluster)))) {
        found.push(cluster);
      }
    });
    rows += heads.length;
    isComplete = heads.length < CLUSTERS_AT_ONCE;
    if (!isComplete) from = placeOf(heads.at(-1)!);
  }
  const explain = question.explain && {
    explain: {
      filter: printFilter(filter.tree),
      sql: null,
      residual: null,
      conditions: [],
      runs: judging.length,
      skippedRuns: 0,
      blocks: 0,
      rows,
    },
  };
  if (figures) {
    const groups = startGroups();
    for (const { life } of found) {
      groups.found++;
      groups.find(by === 'status' ? life.state : null)!.count++;
    }
    return { ...presentGroups(groups, { ...question, figures }), nextCursor: null, complete: isComplete, ...explain };
  }
  const compare = comparison(order);
  const ordered = found.map((cluster) => ({ value: valueOf(cluster, order), id: cluster.id, cluster })).sort(compare);
  const start = after
    ? ordered.filter((one) => compare(one, { value: after.value, id: after.place[0]! }) <= 0).length
    : 0;
  const page = ordered.slice(start, start + limit);
  const last = page.at(-1);
  return {
    clusters: page.map(({ cluster }) => cluster),
    nextCursor:
      last && start + limit < ordered.length
        ? writePosition(order.text, { value: last.value, place: [last.id] })
        : null,
    complete: isComplete,
    ...explain,
  };
};

const isInWindow = (
  { lastSeen }: Cluster,
  { window: { sinceMs = -Infinity, untilMs = Infinity } }: Question,
): boolean => {
  const at = lastSeen === null ? NaN : Date.parse(lastSeen.startTime);
  return at >= sinceMs && at < untilMs;
};

const valueOf = (cluster: Cluster, { field }: Order): number | null => {
  const value = clusterRow(cluster)[field];
  return value === null ? null : Number(value);
};
