import { MOST_CLUSTERS_OF_RUN } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { readRuns } from '../../history/read-runs.ts';
import type { Results } from '../../segments/results.ts';
import type { SegmentStore } from '../../segments/store.ts';
import { nextTurn } from '../../turns.ts';
import type { Writer } from '../../writer/writer.ts';
import { readCauses } from '../insights/read-errors.ts';
import { projectRevision, revisionName } from '../projects/queries.ts';
import { clusterCommands } from './commands.ts';
import type { CountedRun } from './store-clusters.ts';
import { countUnread, selectRevision, selectUnread } from './unread-runs.ts';

/** Runs, and results of them, that are stored in one transaction. */
const RUNS_AT_ONCE = 20;
const RESULTS_AT_ONCE = 200_000;
/** Runs that a request reads itself: more are left to the background. */
const MOST_AWAITED = 100;

/**
 * Which clusters each run shows, in the database. It follows what is stored: a run whose version is another than the one
 * that was read for it is read again, by the next request about clusters of its project or in the background.
 */
export interface ClusterIndex {
  /** Reads the runs of a project that are not part of it yet, if they are few. Returns how many are left. */
  catchUp(projectId: number): Promise<number>;
  /** Reads all that are left, of all projects. */
  readAll(signal: AbortSignal): Promise<void>;
}

interface Means {
  readonly queries: Queries;
  readonly segments: SegmentStore;
  readonly writer: Writer;
}

export const createClusterIndex = ({ queries, segments, writer }: Means): ClusterIndex => {
  /** By project: requests that come at once read a run once. */
  const reading = new Map<number, Promise<number>>();

  /** Returns how many it has read, but for those that changed meanwhile. */
  const readSome = async (projectId: number): Promise<number> => {
    const unread = await selectUnread(queries, projectId, RUNS_AT_ONCE).execute();
    const runs = unread.slice(0, countWithin(unread));
    if (runs.length === 0) return 0;
    const counted: CountedRun[] = [];
    for await (const { run, results } of readRuns(segments, runs, nextTurn)) {
      // One that is damaged shows none.
      const failures = results ? await countCauses(results) : new Map<string, number>();
      counted.push({ runId: run.id, version: run.version, failures });
    }
    return writer.execute(clusterCommands.storeClusters, { projectId, runs: counted });
  };

  const readIfFew = async (projectId: number): Promise<number> => {
    const { length: left } = await selectUnread(queries, projectId, MOST_AWAITED + 1).execute();
    if (left === 0) return 0;
    if (left > MOST_AWAITED) return countUnread(queries, projectId);
    try {
      // No more than there were: runs may come as fast as they are read.
      for (let read = 0; read < left;) {
        const some = await readSome(projectId);
        if (some === 0) break;
        read += some;
      }
    } catch {
      // The disk may be full, or the database be read-only: what is not read is told.
    }
    return countUnread(queries, projectId);
  };

  return {
    async catchUp(projectId) {
      // What is under way may have begun before the latest run came; what begins after it knows that run.
      await reading.get(projectId);
      const begun = reading.get(projectId);
      if (begun) return begun;
      const read = readIfFew(projectId).finally(() => reading.delete(projectId));
      reading.set(projectId, read);
      return read;
    },
    async readAll(signal) {
      for (const { id } of await queries.selectFrom('projects').select('id').orderBy('active_at', 'desc').execute()) {
        for (let left = await countUnread(queries, id); left > 0;) {
          if (signal.aborted) return;
          const read = await readSome(id);
          if (read === 0) break;
          left -= read;
        }
      }
    },
  };
};

/**
 * Names the state that answers about clusters depend on. What runs are part of the index is part of it, and that is brought up
 * to date before.
 */
export const clustersRevision = async (
  { queries, clusterIndex }: { readonly queries: Queries; readonly clusterIndex: ClusterIndex },
  projectId: number,
): Promise<string> => {
  // In one statement where all runs were read, as nearly always: over a network each is a round trip.
  const known = await selectRevision(queries, projectId).executeTakeFirst();
  if (known?.unread === null) return `${revisionName(projectId, known.revision)}.0`;
  const left = await clusterIndex.catchUp(projectId);
  return `${await projectRevision(queries, projectId)}.${left}`;
};

/** At least one run, however large. */
const countWithin = (runs: readonly { readonly result_count: number }[]): number => {
  let results = 0;
  for (const [at, { result_count }] of runs.entries()) {
    results += result_count;
    if (results > RESULTS_AT_ONCE && at > 0) return at;
  }
  return runs.length;
};

/** The failures of a run by cause; of too many causes, the first that it has. */
const countCauses = async (results: Results): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  await readCauses(
    results,
    (cause) => (counts.has(cause) || counts.size < MOST_CLUSTERS_OF_RUN ? cause : null),
    (_, cause) => counts.set(cause, (counts.get(cause) ?? 0) + 1),
  );
  return counts;
};
