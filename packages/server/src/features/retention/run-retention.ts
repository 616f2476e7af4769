import type { CleanupReply } from '@assay/contract';
import type { BlobStore } from '../../blobs/store.ts';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Queries } from '../../db/database.ts';
import type { Writer } from '../../writer/writer.ts';
import type { Actor } from '../audit/audit.ts';
import { retentionCommands } from './commands.ts';
import type { Place } from './find-expired.ts';
import type { RetainedSome, Told } from './retain-some.ts';
import { hasLimits } from './rules.ts';
import { readInstallationSettings, readSettings } from './settings.ts';

const INTERVAL_MS = 60 * 60 * 1000;
const THE_SERVICE: Actor = { userId: null, username: null, address: null, sessionId: null };

export interface RetentionRunner {
  /** Deletes what is beyond the limits. While that is under way, it is the one under way. */
  run(actor: Actor): Promise<CleanupReply>;
  /** The same, unless this or another process has done so within the hour; null then. */
  runIfDue(): Promise<CleanupReply | null>;
  /** Stops after the transaction at hand. */
  close(): Promise<void>;
}

interface Means {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly blobs: BlobStore;
}

export const createRetentionRunner = ({ queries, writer, blobs }: Means): RetentionRunner => {
  const stopping = new AbortController();
  let underWay: Promise<CleanupReply> | null = null;

  const retainProject = async (projectId: number, actor: Actor) => {
    let [deletedRuns, freedBytes] = [0, 0];
    let place: Place | null = null;
    let told: Told | null = null;
    do {
      const some: RetainedSome = await writer.execute(retentionCommands.retainSome, { projectId, place, told, actor });
      freedBytes += some.freedBytes + (await deleteUnreferenced(blobs, queries, some.orphans)).freedBytes;
      deletedRuns += some.deletedRuns;
      ({ told, next: place } = some);
    } while (place !== null && !stopping.signal.aborted);
    return { deletedRuns, freedBytes, isChanged: told !== null };
  };
  const retainAll = async (actor: Actor): Promise<CleanupReply> => {
    let [deletedRuns, freedBytes, isChanged] = [0, 0, false];
    const ofInstallation = await readInstallationSettings(queries);
    for (const { id, retention } of await queries.selectFrom('projects').select(['id', 'retention']).execute()) {
      if (stopping.signal.aborted) break;
      if (!hasLimits(readSettings(retention) ?? ofInstallation)) continue;
      const done = await retainProject(id, actor);
      deletedRuns += done.deletedRuns;
      freedBytes += done.freedBytes;
      isChanged ||= done.isChanged;
    }
    if (isChanged) freedBytes += await writer.execute(retentionCommands.finishRetention, null);
    return { success: true, deletedRuns, freedBytes };
  };
  const start = (actor: Actor): Promise<CleanupReply> => {
    underWay ??= retainAll(actor).finally(() => (underWay = null));
    return underWay;
  };
  return {
    async run(actor) {
      if (underWay) return underWay;
      await writer.execute(retentionCommands.claimRetention, { intervalMs: 0 });
      return start(actor);
    },
    async runIfDue() {
      if (underWay || stopping.signal.aborted) return null;
      const isDue = await writer.execute(retentionCommands.claimRetention, { intervalMs: INTERVAL_MS });
      return isDue ? start(THE_SERVICE) : null;
    },
    async close() {
      stopping.abort();
      await underWay?.catch(() => undefined);
    },
  };
};
