import { resultId } from '@assay/contract';
import type { Queries } from '../db/database.ts';
import type { Turn } from '../turns.ts';
import { decodeDetails } from './details.ts';
import { decodeRequests } from './requests.ts';
import { decodeResults } from './results.ts';

/** What cannot be read, and why. */
export type Tell = (said: string) => void;

/** How many results the blocks of a run have; null when some cannot be read. */
export const verifyBlocks = async (
  queries: Queries,
  runId: number,
  tell: Tell,
  turn?: Turn,
): Promise<number | null> => {
  const blocks = await queries
    .selectFrom('segments')
    .select(['first_index', 'results', 'requests'])
    .where('run_id', '=', runId)
    .execute();
  let found: number | null = 0;
  for (const { first_index, results, requests } of blocks) {
    await turn?.();
    try {
      const { rows } = decodeResults(results);
      if (found !== null) found += rows;
    } catch (error) {
      found = null;
      tell(`results from ${first_index} on: ${(error as Error).message}`);
    }
    try {
      if (requests) decodeRequests(requests);
    } catch (error) {
      tell(`requests from ${first_index} on: ${(error as Error).message}`);
    }
  }
  return found;
};

/** One chunk, which begins with the details of the case at an index. */
export const verifyChunk = (data: Uint8Array, index: number, tell: Tell): void => {
  try {
    for (const { json } of decodeDetails(data)) JSON.parse(json);
  } catch (error) {
    tell(`details from ${index} on: ${(error as Error).message}`);
  }
};

/** Whether all of a run can be read. */
export const isReadable = async (
  queries: Queries,
  { id, result_count }: { readonly id: number; readonly result_count: number },
  turn: Turn,
): Promise<boolean> => {
  let readable = true;
  const tell: Tell = () => {
    readable = false;
  };
  if ((await verifyBlocks(queries, id, tell, turn)) !== result_count) return false;
  const chunks = await queries
    .selectFrom('details')
    .select('data')
    .where('id', '>=', resultId(id, 0))
    .where('id', '<', resultId(id + 1, 0))
    .execute();
  for (const { data } of chunks) {
    await turn();
    verifyChunk(data, 0, tell);
  }
  return readable;
};
