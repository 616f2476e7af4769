import { COMPARED_RUNS } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ReadableRun } from '../../segments/store.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import type { ShownRun } from './present-run.ts';
import { RUN_REF_COLUMNS, type RunRefRow } from './run-refs.ts';

/** Runs of the default branch that a run of another branch is compared with, newest first. */
export interface Baseline {
  readonly by: 'commit' | 'time';
  readonly runs: readonly (RunRefRow & ReadableRun)[];
}

/**
 * The latest settled run of the default branch on the commit that a run is based on, where its sender named one and that
 * commit ran; else the latest that had started when the run did. With it those before it.
 */
export const findBaseline = async (
  queries: Queries,
  run: ShownRun,
  count: number = COMPARED_RUNS,
): Promise<Baseline | null> => {
  const branch = await findDefaultBranch(queries, run.project_id);
  if (branch === null || run.branch === null || run.branch === branch) return null;
  const base = run.base_commit;
  const settled = () =>
    queries
      .selectFrom('runs')
      .select([...RUN_REF_COLUMNS, 'result_count', 'version'])
      .where('project_id', '=', run.project_id)
      .where('branch', '=', branch)
      .where('status', '!=', 'running')
      .orderBy('start_time', 'desc')
      .orderBy('id', 'desc');
  const onBase =
    base === null ? undefined : await settled().where('commit_hash', '=', base).limit(1).executeTakeFirst();
  if (onBase && count === 1) return { by: 'commit', runs: [onBase] };
  const runs = await settled()
    .where('start_time', '<=', onBase?.start_time ?? run.start_time)
    .limit(count)
    .execute();
  const first = onBase ? runs.findIndex(({ id }) => id === onBase.id) : 0;
  return runs.length === 0 ? null : { by: onBase ? 'commit' : 'time', runs: runs.slice(Math.max(0, first)) };
};
