import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { newRevision } from './raise-revision.ts';

/** In this order, before the branch with most runs. */
const USUAL = ['main', 'master'];

/**
 * The default branch of each project: the one that an Administrator set, else the one that a sender told, else `main` or
 * `master`, else the branch with most runs. A project whose runs name no branch has none.
 */
export const defaultBranchesOf = async (
  queries: Queries,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, string | null>> => {
  if (projectIds.length === 0) return new Map();
  const usual = USUAL.map(
    (name) =>
      sql`WHEN EXISTS (SELECT 1 FROM runs WHERE runs.project_id = projects.id AND runs.branch = ${name}) THEN ${name}`,
  );
  const rows = await queries
    .selectFrom('projects')
    .select([
      'id',
      sql<string | null>`coalesce(default_branch, told_default_branch, CASE ${sql.join(usual, sql` `)} ELSE (
        SELECT branch FROM runs WHERE runs.project_id = projects.id AND branch IS NOT NULL
        GROUP BY branch ORDER BY count(*) DESC, branch LIMIT 1) END)`.as('branch'),
    ])
    .where('id', 'in', projectIds)
    .execute();
  return new Map(rows.map(({ id, branch }) => [id, branch]));
};

export const findDefaultBranch = async (queries: Queries, projectId: number): Promise<string | null> =>
  (await defaultBranchesOf(queries, [projectId])).get(projectId) ?? null;

/** Stores the default branch that a sender told. */
export const noteDefaultBranch = async (
  transaction: Queries,
  projectId: number,
  branch: string | null,
): Promise<void> => {
  if (branch === null) return;
  await transaction
    .updateTable('projects')
    .set({ told_default_branch: branch, revision: newRevision() })
    .where('id', '=', projectId)
    .where(sql<boolean>`told_default_branch IS NULL OR told_default_branch <> ${branch}`)
    .execute();
};
