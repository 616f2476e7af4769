import type { Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import { BlockError } from '../../segments/block.ts';
import { decodeResults, timedDurations } from '../../segments/results.ts';
import type { WriterMemory } from '../../writer/command.ts';

/**
 * The durations of parts, kept while their runs grow: the average and the P90 are those of all cases, and every batch
 * moves them.
 */
export interface PartDurations extends WriterMemory {
  of(transaction: Queries, part: PartKey): Promise<readonly number[]>;
  /** To be called when a part has a batch more. */
  extend(transaction: Queries, before: PartKey, more: readonly number[]): Promise<void>;
  /** To be called when results of a part were removed. */
  forget(part: PartKey): void;
}

type PartKey = Pick<PartRow, 'id' | 'run_id' | 'next_batch'>;

interface Kept {
  nextBatch: number;
  readonly durations: number[];
}

const MOST_KEPT = 4_000_000;

export const createPartDurations = (): PartDurations => {
  const kept = new Map<number, Kept>();
  let count = 0;
  const forgetAll = (): void => {
    kept.clear();
    count = 0;
  };
  const find = async (transaction: Queries, part: PartKey): Promise<Kept> => {
    const known = kept.get(part.id);
    if (known?.nextBatch === part.next_batch) return known;
    if (count > MOST_KEPT) forgetAll();
    const durations = await readDurations(transaction, part);
    const read = { nextBatch: part.next_batch, durations };
    count += durations.length - (known?.durations.length ?? 0);
    kept.set(part.id, read);
    return read;
  };
  return {
    commit: (isAlone) => (isAlone ? undefined : forgetAll()),
    // It cannot tell what it learnt since the last commit from what it knew before.
    rollBack: forgetAll,
    of: async (transaction, part) => (await find(transaction, part)).durations,
    async extend(transaction, before, more) {
      const known = await find(transaction, before);
      for (const duration of more) known.durations.push(duration);
      known.nextBatch++;
      count += more.length;
    },
    forget({ id }) {
      count -= kept.get(id)?.durations.length ?? 0;
      kept.delete(id);
    },
  };
};

const readDurations = async (transaction: Queries, { id, run_id }: PartKey): Promise<number[]> => {
  const blocks = await transaction
    .selectFrom('segments')
    .select('results')
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .execute();
  return blocks.flatMap(({ results }) => durationsIn(results));
};

/** A damaged block has none. */
const durationsIn = (block: Uint8Array): number[] => {
  try {
    const { rows, status, durationMs } = decodeResults(block);
    return timedDurations(rows, { status: status.values, durationMs: durationMs.values });
  } catch (error) {
    if (error instanceof BlockError) return [];
    throw error;
  }
};
