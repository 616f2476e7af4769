import { LONGEST_LISTED_ERROR, type TestDetails } from '@assay/contract';
import type { Context } from '../../context.ts';
import { cutText } from '../../cut-text.ts';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { FAILED, PASSED, type Place, firstResult, latestResults } from '../../history/latest-results.ts';
import { tallyAt } from '../../segments/summary.ts';
import { presentPastResults } from '../cases/past-results.ts';
import { getProjectRow, revisionName } from '../projects/queries.ts';
import { presentProjectName } from '../runs/present-run.ts';
import { presentResultRef } from '../runs/run-refs.ts';
import { groupErrors } from './error-groups.ts';
import { presentFigures } from './test-figures.ts';

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

export const getTest = async (context: Context, id: number, limit: number): Promise<TestDetails> => {
  const { queries } = context;
  const test = await queries
    .selectFrom('tests')
    .select(['id', 'project_id', 'title', 'file', 'browser'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!test) throw testNotFound(id);
  const project = await getProjectRow(queries, test.project_id);
  const tally = await context.tallies.of(project);
  const row = tally.tests.rowOf.get(id);
  if (row === undefined) throw testNotFound(id);
  const figures = presentFigures(tallyAt(tally, row));
  const places = await latestResults(context, project, id, limit);
  const [lastPassed] = figures.passedRuns > 0 ? await latestResults(context, project, id, 1, PASSED) : [];
  const [lastFailed] = figures.failedRuns > 0 ? await latestResults(context, project, id, 1, FAILED) : [];
  return {
    id,
    title: test.title,
    filePath: test.file,
    browser: test.browser,
    project: presentProjectName(project),
    ...figures,
    firstSeen: refOf(await firstResult(context, project, id)),
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

const testNotFound = (id: number): AppError => new AppError('test_not_found', `There is no test ${id}`);
