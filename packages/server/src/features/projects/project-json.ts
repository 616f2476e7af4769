import { type Project, type Run, formatTime } from '@assay/contract';
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { ProjectRow } from '../../db/tables.ts';
import { writeList, writeWithLists } from '../../http/json-pieces.ts';
import type { Position } from '../../http/page.ts';
import { reportsOf } from '../files/present-files.ts';
import { SHOWN_RUN_COLUMNS, type ShownRun, presentRun } from '../runs/present-run.ts';
import { presentRunPoint } from '../runs/run-refs.ts';
import { shardsOf } from '../runs/shards.ts';
import type { Window } from '../runs/window.ts';
import { defaultBranchesOf } from './default-branch.ts';
import { listRunRows } from './queries.ts';

const PROJECTS_PER_PIECE = 100;
const RUNS_PER_PIECE = 200;

/** Writes a list of projects, each with its latest run and, on request, points of its recent ones. */
export const writeProjects = (
  queries: Queries,
  projects: readonly ProjectRow[],
  recent: number,
): AsyncGenerator<string> => writeList(writePieces(queries, projects, recent));

async function* writePieces(queries: Queries, projects: readonly ProjectRow[], recent: number): AsyncGenerator<string> {
  for (let start = 0; start < projects.length; start += PROJECTS_PER_PIECE) {
    yield JSON.stringify(await presentProjects(queries, projects.slice(start, start + PROJECTS_PER_PIECE), recent));
  }
}

export const presentProjects = async (
  queries: Queries,
  projects: readonly ProjectRow[],
  recent = 0,
): Promise<Project[]> => {
  const projectIds = projects.map(({ id }) => id);
  const [branches, latestRuns] = await Promise.all([
    defaultBranchesOf(queries, projectIds),
    latestRunsOf(
      queries,
      projectIds.map((id) => ({ id, branch: null })),
      1,
    ),
  ]);
  const ofDefault = await latestRunsOf(
    queries,
    projectIds.map((id) => ({ id, branch: branches.get(id) ?? null })),
    Math.max(1, recent),
  );
  const shards = await shardsOf(
    queries,
    [...latestRuns, ...ofDefault].flatMap(([run]) => run ?? []),
  );
  const presentFirst = ([run]: readonly ShownRun[]): Run | null => (run ? presentRun(run, shards.get(run.id)) : null);
  return projects.map((project, at): Project => {
    const recentRuns = ofDefault[at]!;
    return {
      ...presentProject(project),
      latestRun: presentFirst(latestRuns[at]!),
      defaultBranch: branches.get(project.id) ?? null,
      defaultBranchRun: presentFirst(recentRuns),
      ...(recent === 0 ? {} : { recentRuns: recentRuns.toReversed().map(presentRunPoint) }),
    };
  });
};

/** The runs of a project on one branch, or all of them. */
interface Line {
  readonly id: number;
  readonly branch: string | null;
}

/** Of each line, newest first: no more runs are read than are answered. */
const latestRunsOf = async (queries: Queries, lines: readonly Line[], count: number): Promise<ShownRun[][]> => {
  const rows: ShownRun[] = [];
  for (const [branch, ofBranch] of Map.groupBy(lines, (line) => line.branch)) {
    const found = await queries
      .selectFrom('projects')
      .innerJoin('runs', (join) =>
        // PostgreSQL would read all runs for a list that may have any length.
        join.onRef('runs.project_id', '=', 'projects.id').on('runs.id', count === 1 ? '=' : 'in', ({ selectFrom }) =>
          selectFrom('runs as latest')
            .select('latest.id')
            .whereRef('latest.project_id', '=', 'projects.id')
            .$if(branch !== null, (query) => query.where('latest.branch', '=', branch))
            .orderBy('latest.start_time', 'desc')
            .orderBy('latest.id', 'desc')
            .limit(sql.lit(count)),
        ),
      )
      .select(SHOWN_RUN_COLUMNS.map((column) => `runs.${column}` as const))
      .where(
        'projects.id',
        'in',
        ofBranch.map(({ id }) => id),
      )
      .execute();
    rows.push(...found);
  }
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id);
  return lines.map(({ id }) => byProject.get(id)?.sort(newestFirst) ?? []);
};

const newestFirst = (a: ShownRun, b: ShownRun): number => b.start_time - a.start_time || b.id - a.id;

const presentProject = (project: ProjectRow) => ({
  id: project.id,
  name: project.name,
  label: project.label,
  description: project.description,
  repositoryUrl: project.repository_url,
  tags: project.tags === null ? [] : (JSON.parse(project.tags) as string[]),
  archivedAt: project.archived_at === null ? null : formatTime(project.archived_at),
  createdAt: formatTime(project.created_at),
  updatedAt: formatTime(project.updated_at),
  totalRuns: project.total_runs,
  totalTestCases: project.total_tests,
});

/** The runs of a project after a place in their list, newest first, some at a time. */
export async function* allRunsAfter(
  queries: Queries,
  projectId: number,
  after: Position | null,
  window: Window,
): AsyncGenerator<readonly ShownRun[]> {
  for (let place = after; ;) {
    const runs = await listRunRows(queries, projectId, place, RUNS_PER_PIECE, window);
    yield runs;
    if (runs.length < RUNS_PER_PIECE) return;
    const { start_time, id } = runs.at(-1)!;
    place = { value: start_time, id };
  }
}

/** Writes a project with runs, some at a time. */
export async function* writeProject(
  queries: Queries,
  project: ProjectRow,
  pieces: Iterable<readonly ShownRun[]> | AsyncIterable<readonly ShownRun[]>,
): AsyncGenerator<string> {
  const [presented] = await presentProjects(queries, [project]);
  yield* writeWithLists(presented!, { testRuns: writeRuns(queries, pieces) });
}

async function* writeRuns(
  queries: Queries,
  pieces: Iterable<readonly ShownRun[]> | AsyncIterable<readonly ShownRun[]>,
): AsyncGenerator<string> {
  for await (const runs of pieces) yield JSON.stringify(await presentRuns(queries, runs));
}

const presentRuns = async (queries: Queries, runs: readonly ShownRun[]) => {
  const [reports, shards] = await Promise.all([
    reportsOf(
      queries,
      runs.map(({ id }) => id),
    ),
    shardsOf(queries, runs),
  ]);
  return runs.map((run) => ({ ...presentRun(run, shards.get(run.id)), reports: reports.get(run.id)! }));
};
