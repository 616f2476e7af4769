import type { BlobStore } from '../../blobs/store.ts';
import type { Queries } from '../../db/database.ts';
import type { BlobEncoding, JobRow, TraceRow } from '../../db/tables.ts';
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

type StoredTrace = Pick<TraceRow, 'id' | 'case_index'> & { readonly hash: Uint8Array; readonly encoding: BlobEncoding };

/** Reads the traces of a run, case by case, so that what was read stays when the service stops in between. */
export const createTraceJob =
  ({ queries, blobs, reader, writer }: TraceJobOptions) =>
  async ({ run_id }: JobRow, signal: AbortSignal): Promise<void> => {
    const waiting = await findWaiting(queries, run_id);
    for (const [caseIndex, traces] of Map.groupBy(waiting, ({ case_index }) => case_index)) {
      signal.throwIfAborted();
      const read = await readCase(blobs, reader, traces, signal).catch(async (error: unknown) => {
        if (await areGone(queries, traces)) return null;
        throw error;
      });
      if (read === null) continue;
      await writer.execute(traceCommands.fillFromTraces, { runId: run_id, caseIndex, ...read });
    }
  };

/** Their run was deleted, or their part was replaced. */
const areGone = async (queries: Queries, traces: readonly StoredTrace[]): Promise<boolean> => {
  const ids = traces.map(({ id }) => id);
  const left = await queries.selectFrom('traces').select('id').where('id', 'in', ids).execute();
  return left.length < ids.length;
};

const findWaiting = (queries: Queries, runId: number): Promise<StoredTrace[]> =>
  queries
    .selectFrom('traces')
    .innerJoin('blobs', 'blobs.id', 'traces.blob_id')
    .select(['traces.id', 'traces.case_index', 'blobs.hash', 'blobs.encoding'])
    .where('traces.run_id', '=', runId)
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
  for (const { id, hash, encoding } of traces) {
    const name = { hash: Buffer.from(hash).toString('hex'), encoding };
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
