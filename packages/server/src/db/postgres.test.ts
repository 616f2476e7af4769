import { createDatabase } from '@assay/testkit/postgres';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Queries } from './database.ts';
import { openPostgres } from './postgres.ts';

describe('a statement that a connection has prepared', () => {
  it('is answered after another process added a column to its table', async () => {
    await using own = await createDatabase();
    const writer = openPostgres({ url: own.url, access: 'write' });
    const reader = openPostgres({ url: own.url, access: 'read' });
    const find = async (queries: Queries): Promise<unknown> =>
      (await sql`SELECT * FROM things WHERE name = ${"it's"}`.execute(queries)).rows;
    const addColumn = (name: string): Promise<unknown> =>
      sql.raw(`ALTER TABLE things ADD ${name} text DEFAULT 'new'`).execute(writer.queries);
    await sql`CREATE TABLE things (name text)`.execute(writer.queries);
    await sql`INSERT INTO things VALUES (${"it's"})`.execute(writer.queries);
    for (let uses = 0; uses < 5; uses++) {
      expect(await find(reader.queries)).toEqual([{ name: "it's" }]);
      expect(await writer.transaction(find, { projects: ["it's", 'x'] })).toEqual([{ name: "it's" }]);
    }

    await addColumn('first');
    expect(await find(reader.queries)).toEqual([{ name: "it's", first: 'new' }]);
    let tries = 0;
    const found = await writer.transaction(async (transaction) => {
      tries++;
      return find(transaction);
    });
    expect(found).toEqual([{ name: "it's", first: 'new' }]);
    expect(tries).toBe(2);
    await Promise.all([writer.close(), reader.close()]);
  });
});
