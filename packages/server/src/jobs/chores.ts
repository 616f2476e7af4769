import type { Queries } from '../db/database.ts';
import type { ChoresTable } from '../db/tables.ts';

export interface ClaimChore {
  readonly name: ChoresTable['name'];
  /** Only when nobody has claimed it for so long. */
  readonly intervalMs: number;
}

/** Whoever claims what is done for all processes does it: one of them at a time. */
export const claimChore = async (
  transaction: Queries,
  { name, intervalMs }: ClaimChore,
  now: number,
): Promise<boolean> => {
  const claimed = await transaction
    .insertInto('chores')
    .values({ name, claimed_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ claimed_at: now })
        // One from a time ahead is from when the clock was.
        .where(({ eb, or }) =>
          or([eb('chores.claimed_at', '<=', now - intervalMs), eb('chores.claimed_at', '>', now)]),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return claimed !== undefined;
};
