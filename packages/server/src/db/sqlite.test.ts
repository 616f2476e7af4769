import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSqlite } from './sqlite.ts';

/** What a loss of power would show, which no test can make happen. */
it('a commit waits until its log is on the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sqlite-'));
  const database = openSqlite({ file: join(folder, 'assay.db'), access: 'write' });
  const ask = async (pragma: RawBuilder<unknown>): Promise<unknown> => (await pragma.execute(database.queries)).rows[0];
  try {
    expect(await ask(sql`PRAGMA journal_mode`)).toEqual({ journal_mode: 'wal' });
    const FULL = 2;
    expect(await ask(sql`PRAGMA synchronous`)).toEqual({ synchronous: FULL });
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
});
