import { DatabaseSync } from 'node:sqlite';
import type { Catalogue, Dialect, Field, FieldType, SqlPredicate, Value } from '@assay/expression';

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
    list: 'TEXT',
    object: 'TEXT',
  },
  postgres: {
    string: 'text',
    enum: 'text',
    number: 'double precision',
    duration: 'double precision',
    boolean: 'boolean',
    date: 'double precision',
    strings: 'text',
    list: 'jsonb',
    object: 'jsonb',
  },
};

export const columnsOf = (catalogue: Catalogue, dialect: Dialect): string[] =>
  Object.entries(catalogue.fields).map(
    ([name, field]) => `"${(field.column ?? name).replaceAll('"', '""')}" ${columnType(field, dialect)}`,
  );

const columnType = ({ type, stored }: Field, dialect: Dialect): string => {
  if (dialect === 'postgres' && stored === 'timestamptz') return 'timestamptz(3)';
  return dialect === 'postgres' && stored === 'integer' ? 'bigint' : COLUMN_TYPES[dialect][type];
};

const stored = (value: Value, dialect: Dialect, field: Field): Stored => {
  if (value instanceof Date)
    return dialect === 'postgres' && field.stored === 'timestamptz'
      ? value.toISOString().replace('+', '')
      : value.getTime();
  return typeof value === 'object' && value !== null ? toJson(value) : (value as Stored);
};

/** Dates in JSON are milliseconds. */
const toJson = (value: Value): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key, item: unknown) {
    return this[key] instanceof Date ? this[key].getTime() : item;
  });

const loaded = (value: unknown, field: Field): Value => {
  if (value === null) return null;
  switch (field.type) {
    case 'date':
      return new Date(value as number | Date);
    case 'strings':
    case 'list':
    case 'object':
      return inJson(typeof value === 'string' ? JSON.parse(value) : value, field);
    case 'boolean':
      return Boolean(value);
    case 'number':
    case 'duration':
      return Number(value);
    case 'string':
    case 'enum':
      return value as string;
  }
};

const inJson = (value: unknown, field: Field): Value => {
  if (value === null) return null;
  if (field.items) return (value as unknown[]).map((item) => loaded(item, field.items!));
  if (!field.fields) return value as Value;
  const parts = Object.entries(field.fields);
  return Object.fromEntries(parts.map(([name, part]) => [name, loaded((value as Row)[name], part)]));
};

export const loadRow = (catalogue: Catalogue, record: Record<string, Stored>): Row =>
  Object.fromEntries(
    Object.entries(catalogue.fields).map(([name, field]) => [name, loaded(record[field.column ?? name], field)]),
  );

export const valuesOf = (catalogue: Catalogue, row: Row, dialect: Dialect): Stored[] =>
  Object.entries(catalogue.fields).map(([name, field]) => stored(row[name], dialect, field));

export const sqliteTable = (catalogue: Catalogue, rows: readonly Row[]): Table => {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE rows (assay_at INTEGER PRIMARY KEY, ${columnsOf(catalogue, 'sqlite').join(', ')})`);
  const places = ['?', ...Object.keys(catalogue.fields).map(() => '?')].join(', ');
  const insert = db.prepare(`INSERT INTO rows VALUES (${places})`);
  for (const [at, row] of rows.entries()) {
    insert.run(
      at,
      ...valuesOf(catalogue, row, 'sqlite').map((value) => (typeof value === 'boolean' ? Number(value) : value)),
    );
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
