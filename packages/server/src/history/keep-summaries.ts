import type { Queries } from '../db/database.ts';
import { type SegmentStore, createSegmentStore } from '../segments/store.ts';
import { type Summary, type Tally, addSummary, decodeSummary, encodeSummary, startTally } from '../segments/summary.ts';
import { listRuns, tallyRuns } from './read-history.ts';
import { type Span, childrenOf, firstRunOf, spanSize, spansFilledBy, spansHolding } from './spans.ts';

/** Writes the summaries of the spans that this run has filled, of all runs and of those of the default branch. */
export const writeSummaries = async (
  transaction: Queries,
  projectId: number,
  sequence: number,
  findDefaultBranch: FindDefaultBranch,
): Promise<void> => {
  const spans = spansFilledBy(sequence);
  if (spans.length > 0) await writeSpans(transaction, projectId, spans, findDefaultBranch);
};

type FindDefaultBranch = (queries: Queries, projectId: number) => Promise<string | null>;

/** Writes again the summaries of the spans that held the finalized runs with these numbers, which are now gone. */
export const rebuildSummaries = async (
  transaction: Queries,
  projectId: number,
  removed: readonly number[],
  runCount: number,
  findDefaultBranch?: FindDefaultBranch,
): Promise<void> => {
  const touched = new Map<string, Span>();
  for (const sequence of removed) {
    for (const span of spansHolding(sequence, runCount)) touched.set(`${span.level}/${span.index}`, span);
  }
  const lowestFirst = [...touched.values()].sort((a, b) => a.level - b.level);
  await writeSpans(transaction, projectId, lowestFirst, findDefaultBranch);
};

const writeSpans = async (
  transaction: Queries,
  projectId: number,
  spans: readonly Span[],
  findDefaultBranch: FindDefaultBranch | undefined,
): Promise<void> => {
  for (const span of spans) await writeSummary(transaction, projectId, span);
  if (!findDefaultBranch || spans.length === 0) return;
  // Any branch may have been the default one when the span filled up.
  for (const { level, index } of spans) {
    await transaction
      .deleteFrom('branch_summaries')
      .where('project_id', '=', projectId)
      .where('level', '=', level)
      .where('span', '=', index)
      .execute();
  }
  const branch = await findDefaultBranch(transaction, projectId);
  if (branch !== null) for (const span of spans) await writeSummary(transaction, projectId, span, branch);
};

/** Reads nothing but the database, so that what a transaction has changed counts and nothing of it is kept. */
export const openUncached = (queries: Queries): SegmentStore =>
  createSegmentStore(queries, {
    maxCachedBytes: 0,
    buildSummary: (projectId, span, branch) => buildSummary(queries, projectId, span, branch),
  });

/** The summary of a span, or of its runs of one branch, without those that are damaged; null when it has no results. */
export const buildSummary = async (
  queries: Queries,
  projectId: number,
  span: Span,
  branch?: string,
): Promise<Uint8Array | null> => {
  const tally = span.level === 1 ? await tallySpan(queries, projectId, span, branch) : startTally();
  if (span.level > 1) {
    for (const child of childrenOf(span)) {
      const summary = await readOrBuild(queries, projectId, child, branch);
      if (summary) addSummary(tally, summary);
    }
  }
  return tally.tests.ids.length === 0 ? null : encodeSummary(tally);
};

export const writeSummary = async (
  transaction: Queries,
  projectId: number,
  span: Span,
  branch?: string,
): Promise<void> => {
  const data = await buildSummary(transaction, projectId, span, branch);
  const { level, index } = span;
  if (branch !== undefined) {
    if (data === null) return;
    await transaction
      .insertInto('branch_summaries')
      .values({ project_id: projectId, branch, level, span: index, data })
      .onConflict((conflict) => conflict.columns(['project_id', 'level', 'span', 'branch']).doUpdateSet({ data }))
      .execute();
    return;
  }
  if (data === null) {
    await transaction
      .deleteFrom('summaries')
      .where('project_id', '=', projectId)
      .where('level', '=', level)
      .where('span', '=', index)
      .execute();
    return;
  }
  await transaction
    .insertInto('summaries')
    .values({ project_id: projectId, level, span: index, data })
    .onConflict((conflict) => conflict.columns(['project_id', 'level', 'span']).doUpdateSet({ data }))
    .execute();
};

const tallySpan = async (
  transaction: Queries,
  projectId: number,
  span: Span,
  branch: string | undefined,
): Promise<Tally> => {
  const first = firstRunOf(span);
  const line = branch === undefined ? {} : { line: { branch, isSummarised: true } };
  const runs = await listRuns(transaction, { id: projectId, ...line }, first, first + spanSize(span.level));
  return tallyRuns({ queries: transaction, segments: openUncached(transaction) }, runs);
};

/** One that is damaged, or that a branch does not have, is made of what is below it. */
const readOrBuild = async (
  queries: Queries,
  projectId: number,
  span: Span,
  branch: string | undefined,
): Promise<Summary | null> => {
  const kept = await openUncached(queries).summary(projectId, 0, span, branch);
  if (kept || branch === undefined) return kept;
  const data = await buildSummary(queries, projectId, span, branch);
  return data && decodeSummary(data);
};
