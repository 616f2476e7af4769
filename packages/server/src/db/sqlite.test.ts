import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';

const openIn = (folder: string) => openSqlite({ file: join(folder, 'assay.db'), access: 'write' });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-sqlite-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a loss of power would show, which no test can make happen. */
it('a commit waits until its log is on the disk', async () => {
  await using database = closing(openIn(folder));
  const ask = async (pragma: RawBuilder<unknown>): Promise<unknown> => (await pragma.execute(database.queries)).rows[0];
  expect(await ask(sql`PRAGMA journal_mode`)).toEqual({ journal_mode: 'wal' });
  const FULL = 2;
  expect(await ask(sql`PRAGMA synchronous`)).toEqual({ synchronous: FULL });
});

it('a command opens the database of a service that is writing', async () => {
  await using writing = closing(openIn(folder));
  await sql`CREATE TABLE kept (value)`.execute(writing.queries);
  await writing.transaction(async (queries) => {
    await sql`INSERT INTO kept VALUES (1)`.execute(queries);
    await using opened = closing(openIn(folder));
    expect((await sql`SELECT count(*) AS rows FROM kept`.execute(opened.queries)).rows).toEqual([{ rows: 0 }]);
  });
});

const closing = (database: Database): Database & AsyncDisposable =>
  Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
