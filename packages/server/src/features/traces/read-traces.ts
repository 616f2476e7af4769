import type { BlobStore } from '../../blobs/store.ts';
import type { Queries } from '../../db/database.ts';
import type { BlobEncoding, TraceRow } from '../../db/tables.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { TraceContents } from '../../traces/read-trace.ts';
import type { TraceReader } from '../../traces/trace-reader.ts';
import type { Writer } from '../../writer/writer.ts';
import { traceCommands } from './commands.ts';
import type { ReadTraces } from './fill-from-traces.ts';

export interface TraceJobOptions {
  readonly queries: Queries;
  readonly blobs: BlobStore;
  readonly reader: TraceReader;
  readonly writer: Writer;
}

interface StoredTrace extends Pick<TraceRow, 'id' | 'case_index'> {
  readonly hash: Uint8Array;
  readonly encoding: BlobEncoding;
  readonly stored_size: number;
}

/** After so many the traces of another run have their turn. */
const CASES_PER_TURN = 8;

/** Reads the traces of some cases, one after the other: what was read stays when the service stops in between. */
export const createTraceJob =
  ({ queries, blobs, reader, writer }: TraceJobOptions): JobHandler =>
  async ({ run_id }, signal) => {
    const caseIndices = await findWaitingCases(queries, run_id);
    if (caseIndices.length === 0) return 'done';
    const waiting = await findWaiting(queries, run_id, caseIndices.slice(0, CASES_PER_TURN));
    for (const [caseIndex, traces] of Map.groupBy(waiting, ({ case_index }) => case_index)) {
      signal.throwIfAborted();
      const read = await readCase(blobs, reader, traces, signal).catch(async (error: unknown) => {
        if (await areGone(queries, traces)) return null;
        throw error;
      });
      if (read === null) continue;
      await writer.execute(traceCommands.fillFromTraces, { runId: run_id, caseIndex, ...read });
    }
    return caseIndices.length > CASES_PER_TURN ? 'more' : 'done';
  };

/** Those of this turn, and one more if there is one. */
const findWaitingCases = async (queries: Queries, runId: number): Promise<number[]> => {
  const rows = await queries
    .selectFrom('traces')
    .select('case_index')
    .distinct()
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .orderBy('case_index')
    .limit(CASES_PER_TURN + 1)
    .execute();
  return rows.map(({ case_index }) => case_index);
};

/** Their run was deleted, or their part was replaced. */
const areGone = async (queries: Queries, traces: readonly StoredTrace[]): Promise<boolean> => {
  const ids = traces.map(({ id }) => id);
  const left = await queries.selectFrom('traces').select('id').where('id', 'in', ids).execute();
  return left.length < ids.length;
};

const findWaiting = (queries: Queries, runId: number, caseIndices: readonly number[]): Promise<StoredTrace[]> =>
  queries
    .selectFrom('traces')
    .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
    .select(['traces.id', 'traces.case_index', 'blobs.hash', 'blobs.encoding', 'blobs.stored_size'])
    .where('traces.run_id', '=', runId)
    .where('traces.case_index', 'in', caseIndices)
    .where('traces.state', '=', 'waiting')
    .orderBy('traces.case_index')
    .orderBy('traces.id')
    .execute();

/** Several traces of a case are its attempts: all their requests and messages count, the steps are those of the last. */
const readCase = async (
  blobs: BlobStore,
  reader: TraceReader,
  traces: readonly StoredTrace[],
  signal: AbortSignal,
): Promise<Pick<ReadTraces, 'contents' | 'traces'>> => {
  const contents: TraceContents = { requests: [], steps: [], console: [] };
  const outcomes: ReadTraces['traces'][number][] = [];
  for (const { id, hash, encoding, stored_size } of traces) {
    const name = { hash: Buffer.from(hash).toString('hex'), encoding, storedBytes: stored_size };
    const reading = await blobs.withFile(name, (file) => reader.read(file, signal));
    if (reading.ok) {
      outcomes.push({ id, state: 'read', problem: null });
      contents.requests.push(...reading.contents.requests);
      contents.console.push(...reading.contents.console);
      if (reading.contents.steps.length > 0) contents.steps = reading.contents.steps;
    } else outcomes.push({ id, state: 'broken', problem: reading.reason });
  }
  return { contents, traces: outcomes };
};
