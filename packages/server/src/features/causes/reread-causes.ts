import { extname } from 'node:path';
import { CAUSE_VERSION } from '@assay/contract';
import { openBackgroundThread } from '../../background-thread.ts';
import type { DatabaseAddress, Queries } from '../../db/database.ts';
import type { Writer } from '../../writer/writer.ts';
import type { CausesTask, FromThread } from './causes-thread.ts';
import { causeCommands } from './commands.ts';
import type { CausesFound } from './missing-causes.ts';

const MEMORY_MB = 512;

export interface RereadOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly database: DatabaseAddress;
  readonly signal: AbortSignal;
}

/**
 * Finds the causes of all stored errors again when the rules have another version than last time. Some runs at a time: what
 * was found stays when the service stops in between, and the next start goes on from there. Returns whether there was
 * anything to read.
 */
export const rereadCauses = async ({ queries, writer, database, signal }: RereadOptions): Promise<boolean> => {
  const { cause_version, cause_run_id } = await queries
    .selectFrom('installation')
    .select(['cause_version', 'cause_run_id'])
    .executeTakeFirstOrThrow();
  let next = cause_version === CAUSE_VERSION ? cause_run_id : 0;
  if (next === null) return false;
  if (!(await hasRuns(queries, next))) {
    await writer.execute(causeCommands.storeCauses, NOTHING_LEFT);
    return false;
  }
  const thread = openBackgroundThread<CausesTask, FromThread>({ file: threadFile, memoryMb: MEMORY_MB });
  try {
    while (next !== null) {
      const found: FromThread = await thread.ask({ database, fromRunId: next }, signal);
      if ('fault' in found) throw found.fault;
      signal.throwIfAborted();
      next = await writer.execute(causeCommands.storeCauses, found);
    }
    return true;
  } finally {
    await thread.close();
  }
};

const NOTHING_LEFT: CausesFound = { blocks: [], nextRunId: null };

const hasRuns = async (queries: Queries, fromId: number): Promise<boolean> =>
  (await queries.selectFrom('runs').select('id').where('id', '>=', fromId).limit(1).executeTakeFirst()) !== undefined;

/** The thread runs from source in the repository and from the build elsewhere. */
const threadFile = new URL(`./causes-thread${extname(import.meta.url)}`, import.meta.url);
