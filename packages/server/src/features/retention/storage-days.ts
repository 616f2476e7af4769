import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_KEPT = 60;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** Records what is stored today, once. */
export const recordStorage = async (
  transaction: Queries,
  { diskBytes }: { readonly diskBytes: number },
  now: number,
): Promise<void> => {
  const day = dayOf(now);
  await transaction
    .insertInto('storage_days')
    .columns(['project_id', 'day', 'bytes'])
    .expression(
      transaction
        .selectFrom('storage_figures')
        .select([
          'project_id',
          sql<number>`${sql.lit(day)}`.as('day'),
          sql<number>`database_bytes + report_bytes + trace_bytes + attachment_bytes`.as('bytes'),
        ])
        .where('project_id', '<>', 0),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'day']).doNothing())
    .execute();
  await transaction
    .insertInto('storage_days')
    .values({ project_id: 0, day, bytes: diskBytes })
    .onConflict((conflict) => conflict.columns(['project_id', 'day']).doNothing())
    .execute();
  // Days from when the clock was ahead would count as the latest for as long as it was.
  await transaction
    .deleteFrom('storage_days')
    .where(({ eb, or }) => or([eb('day', '<', day - DAYS_KEPT), eb('day', '>', day)]))
    .execute();
};
