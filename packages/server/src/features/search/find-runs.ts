import type { FoundRun } from '@assay/contract';
import type { ExpressionBuilder, SqlBool, Expression } from 'kysely';
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { presentProjectName } from '../runs/present-run.ts';
import { RUN_REF_COLUMNS, type RunRefRow, presentRunRef } from '../runs/run-refs.ts';
import { type ScanLimits, type Scanned, scanNewest } from './scan-newest.ts';
import { fold, likePattern } from './words.ts';

type FoundRow = RunRefRow & { project_id: number };

const COLUMNS = [...RUN_REF_COLUMNS, 'project_id'] as const;

/** What is in them is found by number alone. */
export const archivedProjects = (queries: Queries) =>
  queries.selectFrom('projects').select('id').where('archived_at', 'is not', null);

/** By number, branch or beginning of the commit. */
export const findRuns = async (
  queries: Queries,
  words: readonly string[],
  limits: ScanLimits,
): Promise<Scanned<FoundRun>> => {
  const numbers = words.flatMap((word) => numberOf(word) ?? []);
  const named = numbers.length === 0 ? [] : await listRuns(queries, numbers);
  const found = named.filter((run) => matches(run, words));
  const others = await scanNewest(queries, 'runs', limits, async (from, to) => {
    const rows = await queries
      .selectFrom('runs')
      .select(COLUMNS)
      .where('id', '>=', from)
      .where('id', '<', to)
      .where('project_id', 'not in', archivedProjects(queries))
      .where((eb) => eb.and(words.map((word) => mayMatch(eb, word))))
      .orderBy('id', 'desc')
      .execute();
    return rows.filter((run) => matches(run, words) && !numbers.includes(run.id));
  });
  const all = [...found, ...others.found].slice(0, limits.most);
  return { found: await presentFound(queries, all), searchedNewest: others.searchedNewest };
};

const listRuns = (queries: Queries, ids: readonly number[]): Promise<FoundRow[]> =>
  queries.selectFrom('runs').select(COLUMNS).where('id', 'in', ids).orderBy('id', 'desc').execute();

/** `12` and `#12` */
const numberOf = (word: string): number | null => {
  const digits = /^#?([1-9]\d{0,15})$/.exec(word)?.[1];
  const number = digits === undefined ? NaN : Number(digits);
  return Number.isSafeInteger(number) ? number : null;
};

const matches = ({ id, branch, commit_hash }: FoundRow, words: readonly string[]): boolean =>
  words.every(
    (word) =>
      numberOf(word) === id ||
      (branch !== null && fold(branch).includes(word)) ||
      (commit_hash !== null && fold(commit_hash).startsWith(word)),
  );

const mayMatch = (eb: ExpressionBuilder<Tables, 'runs'>, word: string): Expression<SqlBool> => {
  const pattern = likePattern(word);
  return eb.or([
    sql<SqlBool>`branch like ${pattern} escape '\\'`,
    sql<SqlBool>`commit_hash like ${pattern.slice(1)} escape '\\'`,
  ]);
};

const presentFound = async (queries: Queries, runs: readonly FoundRow[]): Promise<FoundRun[]> => {
  const names = await projectNames(
    queries,
    runs.map((run) => run.project_id),
  );
  return runs.map((run) => ({ ...presentRunRef(run), project: names.get(run.project_id)! }));
};

export const projectNames = async (queries: Queries, ids: readonly number[]) => {
  const projects =
    ids.length === 0
      ? []
      : await queries.selectFrom('projects').select(['id', 'name', 'label']).where('id', 'in', ids).execute();
  return new Map(projects.map((project) => [project.id, presentProjectName(project)]));
};
