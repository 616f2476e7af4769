import { readFileSync } from 'node:fs';
import type { OwnDatabase } from '@assay/testkit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { createMigrated } from '../migrated-database.ts';

/** With every run, test or file that is stored, and with every day. An engine can spread them by project. */
const GROWING = [
  'attachments',
  'branch_summaries',
  'cluster_runs',
  'clusters',
  'codeowners',
  'commits',
  'details',
  'jobs',
  'moved_runs',
  'parts',
  'report_files',
  'reports',
  'run_keys',
  'run_outlines',
  'runs',
  'saved_views',
  'segments',
  'spelled_files',
  'staged_tests',
  'storage_days',
  'storage_figures',
  'summaries',
  'tests',
  'traces',
];

/** Contents of files, which projects share: told in docs/scale.md as what is left. */
const SHARED = ['blobs'];

/** With people and projects, not with results: an engine keeps them whole on every machine. */
const STEADY = [
  'api_keys',
  'audit',
  'chores',
  'installation',
  'known_addresses',
  'login_attempts',
  'migrations',
  'projects',
  'sessions',
  'users',
];

interface UniqueIndex {
  readonly table: string;
  readonly isPrimary: number;
  readonly columns: readonly string[];
}

interface Reference {
  readonly table: string;
  readonly target: string;
  readonly columns: readonly string[];
  readonly targetColumns: readonly string[];
}

let server: OwnDatabase;
let database: Database;
beforeAll(async () => {
  server = await createMigrated();
  database = await openDatabase({ url: server.url }, { access: 'write' });
});
afterAll(async () => {
  await database.close();
  await server[Symbol.asyncDispose]();
});

const listTables = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public'`.execute(
    database.queries,
  );
  return rows.map(({ name }) => name);
};

const listUniqueIndexes = async (): Promise<UniqueIndex[]> => {
  const { rows } = await sql<UniqueIndex>`
    SELECT tables.relname::text AS table, indexes.indisprimary AS "isPrimary",
           (SELECT array_agg(pg_get_indexdef(indexes.indexrelid, nth, false) ORDER BY nth)
            FROM generate_series(1, indexes.indnkeyatts) AS nth) AS columns
    FROM pg_index AS indexes
    JOIN pg_class AS tables ON tables.oid = indexes.indrelid
    WHERE indexes.indisunique AND tables.relnamespace = 'public'::regnamespace`.execute(database.queries);
  return rows;
};

const listReferences = async (): Promise<Reference[]> => {
  const columns = (table: string, numbers: string) =>
    sql.raw(`(SELECT array_agg(attname::text ORDER BY nth) FROM unnest(${numbers}) WITH ORDINALITY AS keys (number, nth)
              JOIN pg_attribute ON attrelid = ${table} AND attnum = number)`);
  const { rows } = await sql<Reference>`
    SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS target,
           ${columns('conrelid', 'conkey')} AS columns, ${columns('confrelid', 'confkey')} AS "targetColumns"
    FROM pg_constraint WHERE contype = 'f'`.execute(database.queries);
  return rows;
};

describe('in PostgreSQL', () => {
  it('every table is known to grow with results or not to', async () => {
    expect((await listTables()).sort()).toEqual([...GROWING, ...SHARED, ...STEADY].sort());
  });

  it.each(GROWING)('the primary key of %s begins with the project', async (table) => {
    const key = (await listUniqueIndexes()).find((index) => index.table === table && index.isPrimary);
    expect(key?.columns[0]).toBe('project_id');
  });

  it('all of them have the same type of project', async () => {
    const { rows } = await sql<{ table: string; type: string }>`
      SELECT table_name::text AS table, data_type::text AS type FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'project_id' ORDER BY 1`.execute(database.queries);
    expect(rows).toEqual(GROWING.map((table) => ({ table, type: 'bigint' })));
  });

  it('nothing has to be unique across the projects of a table that grows', async () => {
    const across = (await listUniqueIndexes()).filter(
      ({ table, columns }) => GROWING.includes(table) && !columns.includes('project_id'),
    );
    expect(across).toEqual([]);
  });

  it('a row refers to rows of its own project, or of a table that does not grow', async () => {
    const references = await listReferences();
    const across = references.filter(
      ({ target, columns, targetColumns }) =>
        GROWING.includes(target) && columns[targetColumns.indexOf('project_id')] !== 'project_id',
    );
    expect(across).toEqual([]);
    expect(references.filter(({ target }) => GROWING.includes(target)).length).toBeGreaterThanOrEqual(8);
    expect(references.filter(({ table, target }) => STEADY.includes(table) && GROWING.includes(target))).toEqual([]);
  });

  it('docs/scale.md has each index with the query that needs it', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT indexes.relname::text AS name FROM pg_index
      JOIN pg_class AS indexes ON indexes.oid = pg_index.indexrelid
      WHERE NOT indisprimary AND indexes.relnamespace = 'public'::regnamespace`.execute(database.queries);
    const text = readFileSync(new URL('../../../../docs/scale.md', import.meta.url), 'utf8');
    const table = text.split('\n## ').find((section) => section.startsWith('Indexes\n'))!;
    const listed = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(listed.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('nothing is needed that has to be installed', async () => {
    const { rows } = await sql<{ name: string }>`SELECT extname::text AS name FROM pg_extension`.execute(
      database.queries,
    );
    expect(rows.map(({ name }) => name)).toEqual(['plpgsql']);
  });
});
