import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { stage } from '../../blobs/stage.ts';
import type { BlobStore } from '../../blobs/store.ts';
import { withHeldBlobs } from '../../blobs/with-held-blobs.ts';
import type { Queries } from '../../db/database.ts';
import { jobCommands } from '../../jobs/commands.ts';
import type { Writer } from '../../writer/writer.ts';
import { sizesOfRuns } from '../retention/run-sizes.ts';
import { movingCommands } from './commands.ts';
import type { Moved } from './move-blocks.ts';
import { valuesOf } from './run-values.ts';

const RUNS_PER_QUERY = 64;
const RUNS_AT_ONCE = 4;
/** A file of less takes as much of a disk, and an object costs more than a row. */
const LEAST_BYTES = 4096;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface MovedRuns {
  readonly runs: number;
  /** That the file of the database became smaller by. */
  readonly freedBytes: number;
}

export interface RunMover {
  /** Moves the blocks of all old runs that are still in the database; null when another process does, or has done. */
  runIfDue(): Promise<MovedRuns | null>;
  /** Stops after the runs at hand. */
  close(): Promise<void>;
}

export interface MoverOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly blobs: BlobStore;
  readonly stagingDir: string;
  /** How old runs must be; 0 is never. */
  readonly afterDays: number;
  /** How long nobody else does the same. */
  readonly claimMs: number;
}

export const createRunMover = (options: MoverOptions): RunMover => {
  const { queries, writer, afterDays, claimMs } = options;
  const stopping = new AbortController();
  let underWay: Promise<MovedRuns | null> = Promise.resolve(null);

  const claim = (intervalMs: number): Promise<boolean> =>
    writer.execute(jobCommands.claimChore, { name: 'move-runs', intervalMs });
  const moveAll = async (): Promise<MovedRuns | null> => {
    if (!(await claim(claimMs))) return null;
    let runs = 0;
    for await (const some of oldRuns(queries, Date.now() - afterDays * DAY_MS)) {
      const left = some.values();
      const moveNext = async (): Promise<void> => {
        for (const run of left) {
          if (stopping.signal.aborted) return;
          if ((await moveRun(options, run)) === 'moved') runs++;
        }
      };
      const movers = await Promise.allSettled(Array.from({ length: RUNS_AT_ONCE }, moveNext));
      for (const mover of movers) if (mover.status === 'rejected') throw mover.reason;
      if (stopping.signal.aborted) break;
      await claim(0);
    }
    return { runs, freedBytes: runs === 0 ? 0 : await writer.execute(movingCommands.finishMoving, null) };
  };
  return {
    runIfDue() {
      if (afterDays === 0 || stopping.signal.aborted) return Promise.resolve(null);
      underWay = underWay.catch(() => null).then(moveAll);
      return underWay;
    },
    async close() {
      stopping.abort();
      await underWay.catch(() => null);
    },
  };
};

interface OldRun {
  readonly id: number;
  readonly version: number;
  readonly projectName: string;
  readonly isAgain: boolean;
  readonly bytes: number;
}

/** Finalized runs from before a time whose blocks are in the database, oldest first. */
async function* oldRuns(queries: Queries, startedBefore: number): AsyncGenerator<OldRun[]> {
  for (let place = { start_time: -1, id: 0 }; ;) {
    const rows = await queries
      .selectFrom('runs')
      .innerJoin('projects', 'projects.id', 'runs.project_id')
      .leftJoin('moved_runs', (join) =>
        join.onRef('moved_runs.run_id', '=', 'runs.id').onRef('moved_runs.project_id', '=', 'runs.project_id'),
      )
      .select(['runs.id', 'runs.version', 'runs.start_time', 'projects.name', 'moved_runs.blob_id'])
      // As the index has it.
      .where(sql<boolean>`runs.moved_version <> runs.version AND runs.sequence >= 0`)
      .where('runs.start_time', '<', startedBefore)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('runs.start_time', 'runs.id'), '>', tuple(place.start_time, place.id)),
      )
      .orderBy('runs.start_time')
      .orderBy('runs.id')
      .limit(RUNS_PER_QUERY)
      .execute();
    if (rows.length === 0) return;
    const sizes = await sizesOfRuns(
      queries,
      rows.map(({ id }) => id),
    );
    yield rows.map(({ id, version, name, blob_id }) => ({
      id,
      version,
      projectName: name,
      isAgain: blob_id !== null,
      bytes: sizes.get(id)!.databaseBytes,
    }));
    place = rows.at(-1)!;
  }
}

const moveRun = async (
  { queries, writer, blobs, stagingDir }: MoverOptions,
  { id: runId, version, projectName, isAgain, bytes }: OldRun,
): Promise<Moved> => {
  const input = { runId, version, projectName, isAgain };
  if (bytes < LEAST_BYTES) return writer.execute(movingCommands.moveBlocks, { ...input, blob: null });
  const file = join(stagingDir, randomUUID());
  try {
    const content = Readable.from(bytesOf(queries, runId), { objectMode: false });
    const staged = await stage(content, { file, maxBytes: Infinity, name: `test run ${runId}` });
    // Parts of it are read by themselves, so that it is stored as it is.
    return await withHeldBlobs({ blobs, queries }, [{ ...staged, compressible: false }], (blobOf) =>
      writer.execute(movingCommands.moveBlocks, { ...input, blob: blobOf(staged.hash) }),
    );
  } finally {
    await rm(file, { force: true });
  }
};

/** The object of a run. */
async function* bytesOf(queries: Queries, runId: number): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of valuesOf(queries, runId)) yield bytes;
}
