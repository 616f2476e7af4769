import { PostgresAdapter } from 'kysely';
import type { Queries } from './database.ts';

/**
 * Whether all blocks and details name their project, so that a query may join by it: an engine that spreads tables by
 * project joins no others. In SQLite older rows do not (see `ProjectOfRun`), and it is behind the block in the row.
 */
export const blocksNameProject = (queries: Queries): boolean =>
  queries.getExecutor().adapter instanceof PostgresAdapter;
