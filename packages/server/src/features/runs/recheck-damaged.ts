import type { Queries } from '../../db/database.ts';
import { isReadable } from '../../segments/verify-run.ts';
import { nextTurn } from '../../turns.ts';
import type { Writer } from '../../writer/writer.ts';
import { runCommands } from './commands.ts';

export interface RecheckOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly signal: AbortSignal;
}

/**
 * Takes the mark off damaged runs that can be read again: an object was put back into the file store, or an earlier version
 * could not read where it is. Returns how many there were.
 */
export const recheckDamaged = async ({ queries, writer, signal }: RecheckOptions): Promise<number> => {
  let count = 0;
  for (let last = 0; !signal.aborted;) {
    const run = await queries
      .selectFrom('runs')
      .select(['id', 'result_count'])
      .where('damage', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!run) break;
    if (await isReadable(queries, run, nextTurn)) {
      await writer.execute(runCommands.unmarkDamaged, { runId: run.id });
      count++;
    }
    last = run.id;
  }
  return count;
};
