import { type TestCaseDetails, endpoints, splitResultId } from '@assay/contract';
import type { Context } from '../../context.ts';
import { latestResults } from '../../history/latest-results.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { resultAt } from '../../segments/results.ts';
import { rowAt } from '../../segments/row-indices.ts';
import { listAttachments, listTraces, presentAttachment, presentTrace } from '../files/present-files.ts';
import { findFirstDifference } from '../first-difference/find-first-difference.ts';
import { getResults } from '../runs/damage.ts';
import { presentProjectOfCode, presentRun } from '../runs/present-run.ts';
import { findRun, findRunRevision, readMetadata } from '../runs/queries.ts';
import { shardsOf } from '../runs/shards.ts';
import { caseNotFound } from './case-not-found.ts';
import { linkNotRun } from './not-run.ts';
import { presentPastResults } from './past-results.ts';
import { presentCase } from './present-case.ts';
import { readDetails } from './read-details.ts';

const HISTORY_LENGTH = 30;

export const caseRoutes = (context: Context): Route[] => {
  const revisionOf = async (id: number): Promise<string> => {
    const revision = await findRunRevision(context.queries, splitResultId(id).runId);
    if (revision === null) throw caseNotFound(id);
    return revision;
  };
  return [
    read(endpoints.getTestCase, {
      revision: ({ params }) => revisionOf(params.id),
      answer: async ({ params }) => ({ body: await getCase(context, params.id) }),
    }),
    read(endpoints.getFirstDifference, {
      revision: ({ params }) => revisionOf(params.id),
      answer: async ({ params }) => ({ body: await findFirstDifference(context, params.id) }),
    }),
  ];
};

const getCase = async (context: Context, id: number): Promise<TestCaseDetails> => {
  const { queries, tests, damage, owners } = context;
  const { runId, index } = splitResultId(id);
  const found = await findRun(queries, runId);
  if (!found) throw caseNotFound(id);
  const results = await getResults(context, found.run);
  const row = rowAt(results, index);
  if (row < 0) throw caseNotFound(id);
  const { run, project } = found;
  const { testId } = resultAt(results, row);
  // At once: over a network each of them is a round trip.
  const [details, traces, attachments, shards, metadata, history, names, ownersOf] = await Promise.all([
    readDetails({ queries, damage }, runId, index),
    listTraces(queries, runId),
    listAttachments(queries, runId, index),
    shardsOf(queries, [run]),
    readMetadata(queries, runId),
    latestResults(context, project, testId, HISTORY_LENGTH).then((places) => presentPastResults(queries, places)),
    tests.find([testId]),
    owners.of(project.id),
  ]);
  const presented = presentCase(runId, row, results, names.get(testId));
  const { notRun } = presented;
  if (notRun) presented.notRun = await linkNotRun(queries, { projectId: project.id, runId, results }, notRun);
  if (ownersOf) presented.owners = [...ownersOf(presented.filePath)];
  return {
    ...presented,
    ...details,
    traces: traces.filter(({ case_index }) => case_index === index).map(presentTrace),
    attachments: attachments.map(presentAttachment),
    testRun: {
      ...presentRun(run, shards.get(runId)),
      metadata,
      project: presentProjectOfCode(project),
    },
    history,
  };
};
