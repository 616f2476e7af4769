import { DatabaseSync } from 'node:sqlite';
import { openPostgres } from '@assay/testkit/postgres';
import { expect, test } from 'vitest';
import { type Catalogue, parseText, toSql } from '../../src/index.ts';

const CATALOGUE: Catalogue = {
  fields: {
    title: { type: 'string' },
    slug: { type: 'string', collation: 'binary' },
    note: { type: 'string', nullable: true },
    attempts: { type: 'number', stored: 'integer' },
    exit: { type: 'number', stored: 'integer', nullable: true },
    duration: { type: 'duration' },
    updatedAt: { type: 'date', stored: 'timestamptz', column: 'updated_at' },
    owner: { type: 'object', fields: { name: { type: 'string' }, team: { type: 'string', column: 'team' } } },
  },
};

/** Predicates, each with the column whose index answers it. */
const ANSWERED: readonly (readonly [text: string, column: string])[] = [
  ['t.title === "a"', 'title'],
  ['t.title of ["a", "b"]', 'title'],
  ['t.title.startsWith("log")', 'title'],
  ['t.slug.startsWith("log")', 'slug'],
  ['t.slug > "log"', 'slug'],
  ['t.note?.startsWith("log")', 'note'],
  ['t.note !== null && t.note.startsWith("log")', 'note'],
  ['t.attempts === 3', 'attempts'],
  ['t.attempts > 2.5', 'attempts'],
  ['t.attempts of [1, 2, 2.5]', 'attempts'],
  ['t.exit >= 3', 'exit'],
  ['t.duration > 2.5', 'duration'],
  ['t.updatedAt >= new Date("2026-01-31")', 'updated_at'],
  ['t.updatedAt < @since', 'updated_at'],
  ['t.owner.name === "ann"', 'owner'],
  ['t.owner.team === "core"', 'team'],
];

const predicate = (text: string, dialect: 'sqlite' | 'postgres') => {
  const read = parseText(text);
  if (!read.ok) throw new Error(text);
  return toSql(read.tree, CATALOGUE, dialect, { scope: { since: new Date(1_700_000_000_000) } });
};

test('SQLite answers comparisons and prefixes with its indexes', () => {
  using db = new DatabaseSync(':memory:');
  db.exec(
    `CREATE TABLE rows (title TEXT, slug TEXT, note TEXT, attempts INTEGER, exit INTEGER, duration REAL,
     updated_at INTEGER, owner TEXT, team TEXT);
     CREATE INDEX by_owner ON rows (json_extract("owner", '$.name'))`,
  );
  for (const name of ['title', 'slug', 'note', 'attempts', 'exit', 'duration', 'updated_at', 'team'])
    db.exec(`CREATE INDEX by_${name} ON rows (${name})`);
  for (const [text, column] of ANSWERED) {
    const { sql, params, residual } = predicate(text, 'sqlite');
    const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT * FROM rows WHERE ${sql}`).all(...(params as string[]));
    expect(plan[0]?.['detail'], text).toMatch(new RegExp(`^SEARCH rows USING INDEX by_${column} \\(`));
    expect(residual).toBeNull();
  }
});

test('PostgreSQL answers comparisons and prefixes with its indexes, of the collation that they have', async () => {
  const client = await openPostgres();
  try {
    await client.query(
      `CREATE TEMPORARY TABLE rows (title text, slug text COLLATE "C", note text, attempts integer, exit smallint,
       duration double precision, updated_at timestamptz(3), owner jsonb, team text)`,
    );
    const indexed = [
      'title COLLATE "C"',
      'slug',
      'note COLLATE "C"',
      'attempts',
      'exit',
      'duration',
      'updated_at',
      'team',
    ];
    for (const column of indexed) await client.query(`CREATE INDEX by_${column.split(' ')[0]} ON rows (${column})`);
    await client.query(`CREATE INDEX by_owner ON rows ((("owner"::jsonb #>> '{name}')))`);
    await client.query(`CREATE INDEX by_plain_title ON rows (title); SET enable_seqscan = off`);
    for (const [text, column] of ANSWERED) {
      const { sql, params, residual } = predicate(text, 'postgres');
      const plan = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT * FROM rows WHERE ${sql}`, [...params]);
      const lines = plan.rows.map((line) => line['QUERY PLAN']).join('\n');
      expect(lines, text).toMatch(new RegExp(`by_(plain_)?${column}\\b`));
      expect(lines, text).toContain('Index Cond:');
      expect(residual).toBeNull();
    }
  } finally {
    await client.end();
  }
});
