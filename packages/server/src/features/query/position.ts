import type { QueryOver } from '@assay/contract';

/** Where a page ended: the value that rows are ordered by, null for rows without one, and what tells equals apart. */
export interface Position {
  readonly value: number | null;
  /** Of a run, a test or a cluster: its id. Of a result: start and id of its run, shard and index. */
  readonly place: readonly number[];
}

const PLACE_LENGTH: Record<QueryOver, number> = { results: 4, runs: 1, tests: 1, clusters: 1 };

export const writePosition = (order: string, { value, place }: Position): string =>
  Buffer.from(JSON.stringify([order, value, ...place])).toString('base64url');

export const readPosition = (cursor: string, over: QueryOver, order: string, refuse: () => Error): Position => {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parts)) throw refuse();
  const [name, value, ...place] = parts as readonly unknown[];
  const isPlace = place.length === PLACE_LENGTH[over] && place.every((part) => Number.isSafeInteger(part));
  if (name !== order || (value !== null && typeof value !== 'number') || !isPlace) throw refuse();
  return { value, place: place as readonly number[] };
};
