import { setImmediate } from 'node:timers/promises';

const IDS_AT_ONCE = 10_000;
/** A search that finds nothing ends here, however much is stored. */
const MOST_IDS = 200_000;

/** Goes through ids from the newest on until enough is found. */
export const scanNewest = async <T>(
  lastId: number,
  limit: number,
  find: (from: number, to: number) => Promise<T[]>,
): Promise<T[]> => {
  const found: T[] = [];
  const end = Math.max(1, lastId + 1 - MOST_IDS);
  for (let to = lastId + 1; to > end && found.length < limit; to -= IDS_AT_ONCE) {
    found.push(...(await find(Math.max(end, to - IDS_AT_ONCE), to)));
    // Other requests have their turn.
    await setImmediate();
  }
  return found.slice(0, limit);
};
