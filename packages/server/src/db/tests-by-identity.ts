import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Queries } from './database.ts';

export interface FoundTest {
  readonly id: number;
  readonly identity: Uint8Array;
}

/**
 * The tests of a project that have one of these identities. PostgreSQL is told to look up each: of a table that has just
 * grown it knows too little, and would compare all tests of the project with all identities.
 */
export const testsByIdentity = (
  queries: Queries,
  projectId: number,
  identities: readonly Buffer[],
): RawBuilder<FoundTest> =>
  queries.getExecutor().adapter instanceof PostgresAdapter
    ? sql`
        select found.id, wanted.identity
        from unnest(${identities}::bytea[]) as wanted (identity)
        cross join lateral (
          select id from tests where project_id = ${projectId} and identity = wanted.identity limit 1
        ) as found`
    : sql`select id, identity from tests where project_id = ${projectId} and identity in (${sql.join(identities)})`;
