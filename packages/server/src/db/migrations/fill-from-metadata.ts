import type { Queries } from '../database.ts';
import type { RunRow } from '../tables.ts';

const AT_ONCE = 100;
/** Metadata that was stored before there was a limit may be huge. */
const MOST_CHARACTERS = 65_536;

/** Fills new columns of runs with what their metadata says. */
export const fillFromMetadata = async (
  queries: Queries,
  read: (metadata: string | null) => Partial<RunRow>,
): Promise<void> => {
  for (let after = 0; ;) {
    const rows = await queries
      .selectFrom('runs')
      .select(['id', 'metadata'])
      .where('id', '>', after)
      .where((eb) => eb(eb.fn<number>('length', ['metadata']), '<=', MOST_CHARACTERS))
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    for (const { id, metadata } of rows) {
      const columns = read(metadata);
      if (Object.values(columns).every((value) => value === null)) continue;
      await queries.updateTable('runs').set(columns).where('id', '=', id).execute();
    }
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
};
