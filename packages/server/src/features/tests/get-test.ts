import { LONGEST_LISTED_ERROR, type TestDetails } from '@assay/contract';
import type { Context } from '../../context.ts';
import { cutText } from '../../cut-text.ts';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { FAILED, PASSED, type Place, firstResult, latestResults } from '../../history/latest-results.ts';
import { type HistoryOf, tallyRuns } from '../../history/read-history.ts';
import { type Tally, tallyAt } from '../../segments/summary.ts';
import { nextTurn } from '../../turns.ts';
import { presentPastResults } from '../cases/past-results.ts';
import { getProjectRow, revisionName } from '../projects/queries.ts';
import { presentProjectOfCode } from '../runs/present-run.ts';
import { presentResultRef } from '../runs/run-refs.ts';
import { type Window, findHistory } from '../runs/window.ts';
import { groupErrors } from './error-groups.ts';
import { NO_FIGURES, presentFigures } from './test-figures.ts';

export const findTestRevision = async (queries: Queries, id: number): Promise<string> => {
  const row = await queries
    .selectFrom('tests')
    .innerJoin('projects', 'projects.id', 'tests.project_id')
    .select(['projects.id', 'projects.revision'])
    .where('tests.id', '=', id)
    .executeTakeFirst();
  if (!row) throw testNotFound(id);
  return revisionName(row.id, row.revision);
};

/** The figures of the tests of some runs, of a branch or of all history. */
export const tallyOf = (context: Context, of: HistoryOf): Promise<Tally> =>
  of.runs ? tallyRuns({ ...context, turn: nextTurn }, of.runs) : context.tallies.of(of);

interface Asked {
  readonly limit: number;
  /** Only the latest so many runs. */
  readonly runs: number | undefined;
}

export const getTest = async (
  context: Context,
  id: number,
  window: Window,
  { limit, runs }: Asked,
): Promise<TestDetails> => {
  const { queries } = context;
  const test = await queries
    .selectFrom('tests')
    .select(['id', 'project_id', 'title', 'file', 'browser'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!test) throw testNotFound(id);
  const project = await getProjectRow(queries, test.project_id);
  const of = await findHistory(queries, project, window, runs);
  const tally = await tallyOf(context, of);
  const row = tally.tests.rowOf.get(id);
  if (row === undefined && of === project) throw testNotFound(id);
  const figures = row === undefined ? NO_FIGURES : presentFigures(tallyAt(tally, row));
  const has = (results: number): boolean => results > 0;
  const places = has(figures.totalRuns) ? await latestResults(context, of, id, limit) : [];
  const [lastPassed] = has(figures.passedRuns) ? await latestResults(context, of, id, 1, PASSED) : [];
  const [lastFailed] = has(figures.failedRuns) ? await latestResults(context, of, id, 1, FAILED) : [];
  const firstSeen = has(figures.totalRuns) ? await firstResult(context, of, id) : null;
  const ownersOf = await context.owners.of(project.id);
  return {
    id,
    title: test.title,
    filePath: test.file,
    browser: test.browser,
    ...(ownersOf ? { owners: [...ownersOf(test.file)] } : {}),
    project: presentProjectOfCode(project),
    ...figures,
    firstSeen: refOf(firstSeen),
    lastPassed: refOf(lastPassed),
    lastFailed: refOf(lastFailed),
    results: (await presentPastResults(queries, places)).map((result) => ({
      ...result,
      error: result.error === null ? null : cutText(result.error, LONGEST_LISTED_ERROR),
    })),
    errors: groupErrors(places),
  };
};

const refOf = (place: Place | null | undefined) =>
  place ? presentResultRef(place.runId, place.startTime, place.index) : null;

export const testNotFound = (id: number): AppError => new AppError('test_not_found', `There is no test ${id}`);
