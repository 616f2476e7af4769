import type { Database, Queries } from '../../db/database.ts';
import type { SteppedWork } from '../../writer/command.ts';

const ENTRIES_PER_STEP = 1_000;

/** Removes the entries from before a time; answers how many. */
export async function* trimAudit(database: Database, before: number): SteppedWork<number> {
  let removed = 0;
  for (;;) {
    const count = await database.transaction((transaction) => removeSome(transaction, before));
    removed += count;
    if (count < ENTRIES_PER_STEP) return removed;
    yield;
  }
}

/** Ids grow with time: only the first ones are looked at, however many there are. */
const removeSome = async (transaction: Queries, before: number): Promise<number> => {
  const first = await transaction
    .selectFrom('audit')
    .select(['id', 'time'])
    .orderBy('id')
    .limit(ENTRIES_PER_STEP)
    .execute();
  const old = first.filter(({ time }) => time < before).map(({ id }) => id);
  if (old.length > 0) await transaction.deleteFrom('audit').where('id', 'in', old).execute();
  return old.length;
};
