import { MOST_ENVIRONMENTS, type OtherRunChoice } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ReadableRun } from '../../segments/store.ts';
import { findBaseline } from './baseline.ts';
import { listRunsBefore } from './neighbours.ts';
import type { ShownRun } from './present-run.ts';
import { RUN_REF_COLUMNS, type RunRefRow } from './run-refs.ts';

export type OtherRun = RunRefRow & ReadableRun;

/** The run to compare with; null when there is none. */
export const findOtherRun = async (
  queries: Queries,
  run: ShownRun,
  choice: OtherRunChoice,
): Promise<OtherRun | null> => {
  switch (choice) {
    case 'previous':
      return (await listRunsBefore(queries, run, 1, run.branch))[0] ?? null;
    case 'default':
      return (await findBaseline(queries, run, 1))?.runs[0] ?? null;
    case 'green': {
      const found = await othersOf(queries, run)
        .where('branch', 'is not distinct from', run.branch)
        .where('status', '=', 'passed')
        .where('failed_tests', '=', 0)
        .where('start_time', '<=', run.start_time)
        .executeTakeFirst();
      return found ?? null;
    }
    case 'base': {
      if (run.base_commit === null) return null;
      const found = await othersOf(queries, run)
        .where('commit_hash', '=', run.base_commit)
        .where('status', '!=', 'running')
        .executeTakeFirst();
      return found ?? null;
    }
  }
};

/** The latest settled run on its commit in an environment, else of its branch and not after it; null when there is none. */
export const findInEnvironment = async (
  queries: Queries,
  run: ShownRun,
  environment: string,
): Promise<OtherRun | null> => {
  const settled = () => othersOf(queries, run).where('environment', '=', environment).where('status', '!=', 'running');
  const onCommit =
    run.commit_hash === null
      ? undefined
      : await settled().where('commit_hash', '=', run.commit_hash).executeTakeFirst();
  if (onCommit) return onCommit;
  const ofBranch = await settled()
    .where('branch', 'is not distinct from', run.branch)
    .where('start_time', '<=', run.start_time)
    .executeTakeFirst();
  return ofBranch ?? null;
};

/** Other environments that have a run to compare with, by name. */
export const listEnvironments = async (queries: Queries, run: ShownRun): Promise<string[]> => {
  const rows = await queries
    .selectFrom('runs')
    .select('environment')
    .distinct()
    .where('project_id', '=', run.project_id)
    .where('environment', 'is not', null)
    .where('environment', 'is distinct from', run.environment)
    .orderBy('environment')
    .limit(MOST_ENVIRONMENTS)
    .execute();
  const found: string[] = [];
  for (const { environment } of rows) {
    if (environment !== null && (await findInEnvironment(queries, run, environment))) found.push(environment);
  }
  return found;
};

/** Newest first. */
const othersOf = (queries: Queries, { id, project_id }: ShownRun) =>
  queries
    .selectFrom('runs')
    .select([...RUN_REF_COLUMNS, 'result_count', 'version'])
    .where('project_id', '=', project_id)
    .where('id', '!=', id)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
