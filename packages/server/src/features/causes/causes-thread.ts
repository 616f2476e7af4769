import { parentPort } from 'node:worker_threads';
import type { DatabaseAddress } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { type CausesFound, findMissingCauses } from './missing-causes.ts';

/* The thread that finds causes in old results: their texts are many, and nobody waits for them. */

export interface CausesTask {
  readonly database: DatabaseAddress;
  readonly fromRunId: number;
}

export type FromThread = CausesFound | { readonly fault: Error };

const port = parentPort!;

const answer = async ({ database: address, fromRunId }: CausesTask): Promise<FromThread> => {
  const database = await openDatabase(address, { access: 'read' });
  try {
    return await findMissingCauses(database.queries, fromRunId);
  } catch (fault) {
    return { fault: fault as Error };
  } finally {
    await database.close();
  }
};

port.on('message', (task: CausesTask) => {
  void answer(task).then((message) => port.postMessage(message));
});
