import { DatabaseSync } from 'node:sqlite';
import type { Catalogue, Dialect, FieldType, SqlPredicate, Value } from '@assay/expression';

export type Row = Readonly<Record<string, Value>>;

/** A table of rows in a database, as the catalogue says that they are stored. */
export interface Table extends AsyncDisposable {
  readonly dialect: Dialect;
  /** The rows as the database gives them back, in order. */
  readonly rows: readonly Row[];
  /** The numbers of the rows that a predicate selects. */
  readonly select: (predicate: SqlPredicate) => Promise<number[]>;
}

export type Stored = string | number | boolean | null;

const COLUMN_TYPES: Record<Dialect, Record<FieldType, string>> = {
  sqlite: {
    string: 'TEXT',
    enum: 'TEXT',
    number: 'REAL',
    duration: 'REAL',
    boolean: 'INTEGER',
    date: 'INTEGER',
    strings: 'TEXT',
  },
  postgres: {
    string: 'text',
    enum: 'text',
    number: 'double precision',
    duration: 'double precision',
    boolean: 'boolean',
    date: 'double precision',
    strings: 'text',
  },
};

export const columnsOf = (catalogue: Catalogue, dialect: Dialect): string[] =>
  Object.entries(catalogue.fields).map(
    ([name, field]) => `"${(field.column ?? name).replaceAll('"', '""')}" ${COLUMN_TYPES[dialect][field.type]}`,
  );

const stored = (value: Value): Stored => {
  if (value instanceof Date) return value.getTime();
  return Array.isArray(value) ? JSON.stringify(value) : (value as Stored);
};

const loaded = (value: Stored, type: FieldType): Value => {
  if (value === null) return null;
  if (type === 'date') return new Date(value as number);
  if (type === 'strings') return JSON.parse(value as string) as Value;
  return type === 'boolean' ? Boolean(value) : value;
};

export const loadRow = (catalogue: Catalogue, record: Record<string, Stored>): Row =>
  Object.fromEntries(
    Object.entries(catalogue.fields).map(([name, field]) => [name, loaded(record[field.column ?? name]!, field.type)]),
  );

export const valuesOf = (catalogue: Catalogue, row: Row): Stored[] =>
  Object.keys(catalogue.fields).map((name) => stored(row[name]));

export const sqliteTable = (catalogue: Catalogue, rows: readonly Row[]): Table => {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE rows (assay_at INTEGER PRIMARY KEY, ${columnsOf(catalogue, 'sqlite').join(', ')})`);
  const places = ['?', ...Object.keys(catalogue.fields).map(() => '?')].join(', ');
  const insert = db.prepare(`INSERT INTO rows VALUES (${places})`);
  for (const [at, row] of rows.entries()) {
    insert.run(at, ...valuesOf(catalogue, row).map((value) => (typeof value === 'boolean' ? Number(value) : value)));
  }
  const all = db.prepare('SELECT * FROM rows ORDER BY assay_at').all() as Record<string, Stored>[];
  return {
    dialect: 'sqlite',
    rows: all.map((record) => loadRow(catalogue, record)),
    select: async ({ sql, params }) => {
      const found = db.prepare(`SELECT assay_at FROM rows WHERE ${sql} ORDER BY assay_at`).all(...(params as number[]));
      return found.map((record) => record['assay_at'] as number);
    },
    [Symbol.asyncDispose]: async () => db.close(),
  };
};
