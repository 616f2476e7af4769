import { type Branch, formatTime } from '@assay/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { SHOWN_RUN_COLUMNS, presentRun } from '../runs/present-run.ts';
import { shardsOf } from '../runs/shards.ts';
import { compareBranches } from './compare-branches.ts';
import { findDefaultBranch } from './default-branch.ts';

interface Wanted {
  readonly q: string | undefined;
  readonly limit: number;
  readonly compare: boolean;
  readonly startLargeRead: (rows: number) => Promise<void>;
}

/** The default branch first, then the one that ran last. */
export const listBranches = async (
  { queries, segments }: Pick<Context, 'queries' | 'segments'>,
  projectId: number,
  { q, limit, compare, startLargeRead }: Wanted,
): Promise<Branch[]> => {
  const defaultBranch = await findDefaultBranch(queries, projectId);
  const branches = await queries
    .selectFrom('runs')
    .select(({ fn }) => ['branch', fn.countAll<number>().as('count'), fn.max<number>('start_time').as('last')])
    .where('project_id', '=', projectId)
    .where('branch', 'is not', null)
    .$if(q !== undefined, (query) =>
      query.where(sql<boolean>`branch like ${`%${q!.replace(/[%_\\]/g, '\\$&')}%`} escape '\\'`),
    )
    .groupBy('branch')
    .orderBy(sql`branch = ${defaultBranch}`, 'desc')
    .orderBy('last', 'desc')
    .orderBy('branch')
    .limit(limit)
    .execute();
  const latest = await queries
    .selectFrom(
      queries
        .selectFrom('runs')
        .select([
          'id',
          'project_id',
          sql<number>`row_number() OVER (PARTITION BY branch ORDER BY start_time DESC, id DESC)`.as('place'),
        ])
        .where('project_id', '=', projectId)
        .where(
          'branch',
          'in',
          branches.map(({ branch }) => branch!),
        )
        .as('ranked'),
    )
    .innerJoin('runs', (join) =>
      join.onRef('runs.id', '=', 'ranked.id').onRef('runs.project_id', '=', 'ranked.project_id'),
    )
    .select(SHOWN_RUN_COLUMNS.map((name) => `runs.${name}` as const))
    .where('place', '=', 1)
    .execute();
  const shards = await shardsOf(queries, latest);
  const latestOf = new Map(latest.map((run) => [run.branch, run]));
  const inOrder = branches.flatMap(({ branch }) => latestOf.get(branch) ?? []);
  const against = compare ? await compareBranches({ queries, segments }, inOrder, startLargeRead) : null;
  return branches.flatMap(({ branch, count, last }): Branch[] => {
    const run = latestOf.get(branch);
    if (branch === null || !run) return [];
    return [
      {
        name: branch,
        isDefault: branch === defaultBranch,
        totalRuns: count,
        lastActive: formatTime(last),
        latestRun: presentRun(run, shards.get(run.id)),
        ...(against && { againstDefault: against.get(run.id) ?? null }),
      },
    ];
  });
};
