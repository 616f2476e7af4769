import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import type { Stored } from './commands.ts';

/** What the main thread does once a run is stored. */
export const followStored = async (
  { metrics, jobs, blobs, queries }: Context,
  { resultCount, change, inParts, orphans }: Stored,
): Promise<void> => {
  if (change === 'made') metrics.storedRuns.inc();
  if (change !== 'none') metrics.storedResults.inc(resultCount);
  if (inParts) jobs.wake();
  await deleteUnreferenced(blobs, queries, orphans);
};
