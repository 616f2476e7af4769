import type { Queries } from '../db/database.ts';
import { decodeResults } from '../segments/results.ts';
import { type Tally, addRun, addSummary, decodeSummary, encodeSummary, startTally } from '../segments/summary.ts';
import { type Span, FAN_OUT, firstRunOf, spanSize, spansFilledBy, spansHolding } from './spans.ts';

/** Writes the summaries of the spans that this run has filled. */
export const fillSummaries = async (transaction: Queries, projectId: number, sequence: number): Promise<void> => {
  for (const span of spansFilledBy(sequence)) await writeSummary(transaction, projectId, span);
};

/** Writes again the summaries of the spans that held the runs which are now gone. */
export const renewSummaries = async (
  transaction: Queries,
  projectId: number,
  removed: readonly number[],
  runCount: number,
): Promise<void> => {
  const touched = new Map<string, Span>();
  for (const sequence of removed) {
    for (const span of spansHolding(sequence, runCount)) touched.set(`${span.level}/${span.index}`, span);
  }
  const lowestFirst = [...touched.values()].sort((a, b) => a.level - b.level);
  for (const span of lowestFirst) await writeSummary(transaction, projectId, span);
};

const writeSummary = async (transaction: Queries, projectId: number, span: Span): Promise<void> => {
  const tally =
    span.level === 1
      ? await tallyRuns(transaction, projectId, span)
      : await tallyChildren(transaction, projectId, span);
  if (tally.tests.ids.length === 0) {
    await transaction
      .deleteFrom('summaries')
      .where('project_id', '=', projectId)
      .where('level', '=', span.level)
      .where('span', '=', span.index)
      .execute();
    return;
  }
  const data = encodeSummary(tally);
  await transaction
    .insertInto('summaries')
    .values({ project_id: projectId, level: span.level, span: span.index, data })
    .onConflict((conflict) => conflict.columns(['project_id', 'level', 'span']).doUpdateSet({ data }))
    .execute();
};

const tallyRuns = async (transaction: Queries, projectId: number, span: Span): Promise<Tally> => {
  const first = firstRunOf(span);
  const runs = await transaction
    .selectFrom('runs')
    .innerJoin('segments', 'segments.run_id', 'runs.id')
    .select(['runs.id', 'runs.start_time', 'segments.results'])
    .where('runs.project_id', '=', projectId)
    .where('runs.sequence', '>=', first)
    .where('runs.sequence', '<', first + spanSize(span.level))
    .orderBy('runs.sequence')
    .execute();
  const tally = startTally();
  for (const run of runs) addRun(tally, { runId: run.id, startTime: run.start_time }, decodeResults(run.results));
  return tally;
};

const tallyChildren = async (transaction: Queries, projectId: number, span: Span): Promise<Tally> => {
  const first = span.index * FAN_OUT;
  const children = await transaction
    .selectFrom('summaries')
    .select('data')
    .where('project_id', '=', projectId)
    .where('level', '=', span.level - 1)
    .where('span', '>=', first)
    .where('span', '<', first + FAN_OUT)
    .orderBy('span')
    .execute();
  const tally = startTally();
  for (const child of children) addSummary(tally, decodeSummary(child.data));
  return tally;
};
