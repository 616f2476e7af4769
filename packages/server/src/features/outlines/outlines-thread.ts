import { parentPort } from 'node:worker_threads';
import type { DatabaseAddress } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { type OutlinesFound, findOutlines } from './find-outlines.ts';

/* The thread that makes outlines of runs: nobody waits for them. */

export interface OutlinesTask {
  readonly database: DatabaseAddress;
  readonly projectIds: readonly number[];
}

export type FromThread = OutlinesFound | { readonly fault: Error };

const port = parentPort!;

const answer = async ({ database: address, projectIds }: OutlinesTask): Promise<FromThread> => {
  const database = await openDatabase(address, { access: 'read' });
  try {
    return await findOutlines(database.queries, projectIds);
  } catch (fault) {
    return { fault: fault as Error };
  } finally {
    await database.close();
  }
};

port.on('message', (task: OutlinesTask) => {
  void answer(task).then((message) => port.postMessage(message));
});
