import { type CaseDetails, MAX_RESULTS_PER_RUN } from '@assay/contract';
import type { Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { SegmentsTable, TraceState } from '../../db/tables.ts';
import { type BlockKey, changeDetails } from '../../segments/block-details.ts';
import { BlockError } from '../../segments/block.ts';
import { type RequestRow, type Requests, decodeRequests, encodeRequests, requestAt } from '../../segments/requests.ts';
import { readRanges } from '../../segments/row-indices.ts';
import type { TraceContents } from '../../traces/read-trace.ts';
import { NO_DETAILS } from '../cases/present-case.ts';
import { requestRows, storedMessage, storedRequest, storedStep } from '../ingest/case-details.ts';
import { raiseRevision } from '../projects/raise-revision.ts';

/** What the traces of one case say, and how reading each of them ended. */
export interface ReadTraces {
  readonly runId: number;
  readonly caseIndex: number;
  readonly contents: TraceContents;
  readonly traces: readonly { readonly id: number; readonly state: TraceState; readonly problem: string | null }[];
}

export interface FilledRun {
  /** Null when there was nothing left to fill. */
  readonly projectId: number | null;
}

/** Adds what the traces of a case say where its submission said nothing. Does nothing when that was already done. */
export const fillFromTraces = async (
  transaction: Queries,
  { runId, caseIndex, contents, traces }: ReadTraces,
  now: number,
): Promise<FilledRun> => {
  const waiting = await transaction
    .selectFrom('traces')
    .select(['id', 'part_id', 'project_id'])
    .where('run_id', '=', runId)
    .where('case_index', '=', caseIndex)
    .where('state', '=', 'waiting')
    .execute();
  const [first] = waiting;
  if (!first) return { projectId: null };
  let addedRequests: CaseDetails['networkRequests'] = [];
  const block = await findBlock(transaction, { runId, partId: first.part_id, caseIndex });
  await changeDetails(transaction, keyOf(first.project_id, block), caseIndex, (json) => {
    const details = json === null ? NO_DETAILS : (JSON.parse(json) as CaseDetails);
    if (details.networkRequests.length === 0) addedRequests = contents.requests.map(storedRequest);
    return JSON.stringify({
      ...details,
      steps: details.steps.length > 0 ? details.steps : contents.steps.map(storedStep),
      networkRequests: details.networkRequests.length > 0 ? details.networkRequests : addedRequests,
      console: details.console.length > 0 ? details.console : contents.console.map(storedMessage),
    });
  });
  await addRequests(transaction, block, requestRows(caseIndex, addedRequests));
  for (const { id, state, problem } of traces) {
    await transaction.updateTable('traces').set({ state, problem }).where('id', '=', id).execute();
  }
  // What has changed of an old run moves to the file store again.
  await transaction
    .updateTable('runs')
    .set({ moved_version: -1 })
    .where('id', '=', runId)
    .where('moved_version', '>=', 0)
    .execute();
  await raiseRevision(transaction, first.project_id, now);
  return { projectId: first.project_id };
};

type Block = Pick<Selectable<SegmentsTable>, 'run_id' | 'first_index' | 'ranges' | 'requests'>;

/** A block of the part that a case belongs to. */
const findBlock = (
  transaction: Queries,
  { runId, partId, caseIndex }: { runId: number; partId: number | null; caseIndex: number },
): Promise<Block> =>
  transaction
    .selectFrom('segments')
    .select(['run_id', 'first_index', 'ranges', 'requests'])
    .where('run_id', '=', runId)
    .where('part_id', 'is not distinct from', partId)
    .where('first_index', '<=', caseIndex)
    .orderBy('first_index', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

/** A run without parts has all its indices from 0 on. */
const keyOf = (projectId: number, { run_id, first_index, ranges }: Block): BlockKey => ({
  projectId,
  runId: run_id,
  firstIndex: first_index,
  ranges: ranges === null ? [[0, MAX_RESULTS_PER_RUN]] : readRanges(ranges),
});

/** Undefined when they are damaged: then nothing is added to them. */
const findRequests = (block: Uint8Array): Requests | undefined => {
  try {
    return decodeRequests(block);
  } catch (error) {
    if (error instanceof BlockError) return undefined;
    throw error;
  }
};

const addRequests = async (
  transaction: Queries,
  { run_id, first_index, requests }: Block,
  added: readonly RequestRow[],
): Promise<void> => {
  if (added.length === 0) return;
  const present = requests === null ? null : findRequests(requests);
  if (present === undefined) return;
  const rows = Array.from({ length: present?.rows ?? 0 }, (_, row) => requestAt(present!, row));
  await transaction
    .updateTable('segments')
    .set({ requests: encodeRequests([...rows, ...added]) })
    .where('run_id', '=', run_id)
    .where('first_index', '=', first_index)
    .execute();
};
