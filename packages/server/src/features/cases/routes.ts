import {
  type PastResult,
  type TestCaseDetails,
  endpoints,
  formatTime,
  isFlaky,
  resultId,
  splitResultId,
} from '@assay/contract';
import type { Context } from '../../context.ts';
import type { RunRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { type PastPlace, latestResults } from '../../history/read-history.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { resultAt } from '../../segments/results.ts';
import { listTraces, presentTrace } from '../files/present-files.ts';
import { presentProjectName, presentRun } from '../runs/present-run.ts';
import { findRun, findRunRevision } from '../runs/queries.ts';
import { presentCase } from './present-case.ts';
import { readDetails } from './read-details.ts';

const HISTORY_LENGTH = 30;

export const caseRoutes = (context: Context): Route[] => [
  read(endpoints.getTestCase, {
    async revision({ params: { id } }) {
      const revision = await findRunRevision(context.queries, splitResultId(id).runId);
      if (revision === null) throw caseNotFound(id);
      return revision;
    },
    answer: async ({ params }) => ({ body: await getCase(context, params.id) }),
  }),
];

const getCase = async (context: Context, id: number): Promise<TestCaseDetails> => {
  const { queries, segments, tests } = context;
  const { runId, index } = splitResultId(id);
  const found = await findRun(queries, runId);
  const results = (await segments.results([runId])).get(runId);
  if (!found || !results || index >= results.rows) throw caseNotFound(id);
  const { run, project } = found;
  const { testId } = resultAt(results, index);
  const details = await readDetails(queries, runId, index);
  const traces = await listTraces(queries, runId);
  const places = await latestResults(context, project, testId, HISTORY_LENGTH);
  return {
    ...presentCase(runId, index, results, await tests.find([testId])),
    ...details,
    traces: traces.filter(({ case_index }) => case_index === index).map(presentTrace),
    attachments: [],
    testRun: { ...presentRun(run), project: presentProjectName(project) },
    history: await presentHistory(context, places),
  };
};

const presentHistory = async ({ queries }: Context, places: readonly PastPlace[]): Promise<PastResult[]> => {
  const runIds = [...new Set(places.map((place) => place.runId))];
  if (runIds.length === 0) return [];
  const rows = await queries
    .selectFrom('runs')
    .select(['id', 'branch', 'commit_hash'])
    .where('id', 'in', runIds)
    .execute();
  const runs = new Map(rows.map((run) => [run.id, run]));
  return places.map((place) => presentPast(place, runs.get(place.runId)));
};

const presentPast = (
  { runId, row, startTime, results }: PastPlace,
  run: Pick<RunRow, 'branch' | 'commit_hash'> | undefined,
): PastResult => {
  const { status, durationMs, retries, error } = resultAt(results, row);
  return {
    id: resultId(runId, row),
    testRunId: runId,
    startTime: formatTime(startTime),
    status,
    duration: durationMs,
    retries,
    flaky: isFlaky(status, retries),
    error,
    branch: run?.branch ?? null,
    commit: run?.commit_hash ?? null,
  };
};

const caseNotFound = (id: number): AppError => new AppError('test_case_not_found', `There is no test case ${id}`);
