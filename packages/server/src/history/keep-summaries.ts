import type { Queries } from '../db/database.ts';
import { BlockError } from '../segments/block.ts';
import { type SegmentStore, createSegmentStore } from '../segments/store.ts';
import { type Summary, type Tally, addSummary, decodeSummary, encodeSummary, startTally } from '../segments/summary.ts';
import { addResults, listRuns } from './read-history.ts';
import { type Span, FAN_OUT, firstRunOf, spanSize, spansFilledBy, spansHolding } from './spans.ts';

/** Writes the summaries of the spans that this run has filled. */
export const writeSummaries = async (transaction: Queries, projectId: number, sequence: number): Promise<void> => {
  for (const span of spansFilledBy(sequence)) await writeSummary(transaction, projectId, span);
};

/** Writes again the summaries of the spans that held the finalized runs with these numbers, which are now gone. */
export const rebuildSummaries = async (
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

/** Reads nothing but the database, so that what a transaction has changed counts and nothing of it is kept. */
export const openUncached = (queries: Queries): SegmentStore =>
  createSegmentStore(queries, {
    maxCachedBytes: 0,
    buildSummary: (projectId, span) => buildSummary(queries, projectId, span),
  });

/** The summary of a span, without the runs that are damaged; null when it has no results. */
export const buildSummary = async (queries: Queries, projectId: number, span: Span): Promise<Uint8Array | null> => {
  const tally =
    span.level === 1 ? await tallyRuns(queries, projectId, span) : await tallyChildren(queries, projectId, span);
  return tally.tests.ids.length === 0 ? null : encodeSummary(tally);
};

export const writeSummary = async (transaction: Queries, projectId: number, span: Span): Promise<void> => {
  const data = await buildSummary(transaction, projectId, span);
  if (data === null) {
    await transaction
      .deleteFrom('summaries')
      .where('project_id', '=', projectId)
      .where('level', '=', span.level)
      .where('span', '=', span.index)
      .execute();
    return;
  }
  await transaction
    .insertInto('summaries')
    .values({ project_id: projectId, level: span.level, span: span.index, data })
    .onConflict((conflict) => conflict.columns(['project_id', 'level', 'span']).doUpdateSet({ data }))
    .execute();
};

const tallyRuns = async (transaction: Queries, projectId: number, span: Span): Promise<Tally> => {
  const first = firstRunOf(span);
  const runs = await listRuns(transaction, projectId, first, first + spanSize(span.level));
  const tally = startTally();
  await addResults({ queries: transaction, segments: openUncached(transaction) }, runs, tally);
  return tally;
};

const tallyChildren = async (transaction: Queries, projectId: number, span: Span): Promise<Tally> => {
  const first = span.index * FAN_OUT;
  const children = await transaction
    .selectFrom('summaries')
    .select(['span', 'data'])
    .where('project_id', '=', projectId)
    .where('level', '=', span.level - 1)
    .where('span', '>=', first)
    .where('span', '<', first + FAN_OUT)
    .orderBy('span')
    .execute();
  const tally = startTally();
  for (const child of children) {
    const summary = await readChild(transaction, projectId, { level: span.level - 1, index: child.span }, child.data);
    if (summary) addSummary(tally, summary);
  }
  return tally;
};

/** One that is damaged is made again of what is below it. */
const readChild = async (
  queries: Queries,
  projectId: number,
  span: Span,
  data: Uint8Array,
): Promise<Summary | null> => {
  try {
    return decodeSummary(data);
  } catch (error) {
    if (!(error instanceof BlockError)) throw error;
    const again = await buildSummary(queries, projectId, span);
    return again && decodeSummary(again);
  }
};
