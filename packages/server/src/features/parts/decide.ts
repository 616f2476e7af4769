import type { PartRow } from '../../db/tables.ts';
import { isOpen } from './part-rows.ts';

export type Rank = Pick<PartRow, 'attempt' | 'start_time'>;

/** Above 0 when the first is the later try of a shard. */
export const compareTries = (a: Rank, b: Rank): number => a.attempt - b.attempt || a.start_time - b.start_time;

/**
 * What a whole part does to the one that is there of the same shard. The latest try stays, whichever comes first; the
 * same again changes nothing, unless what is there never became complete. A part of no shard stays once it is complete.
 */
export const decide = (
  present: Pick<PartRow, 'state' | 'shard' | 'attempt' | 'start_time'> | undefined,
  given: Rank,
): 'join' | 'replace' | 'keep' => {
  if (!present) return 'join';
  const order = compareTries(given, present);
  if (isOpen(present)) return order >= 0 ? 'replace' : 'keep';
  return order > 0 && present.shard > 0 ? 'replace' : 'keep';
};
