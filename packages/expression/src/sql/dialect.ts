import { raw, sql } from './fragment.ts';
import type { Bound, Sql } from './fragment.ts';

export type Dialect = 'sqlite' | 'postgres';

/** What the two databases write differently. */
export interface DialectRules {
  readonly name: Dialect;
  readonly placeholder: (bound: Bound, position: number) => string;
  /** What is handed to a driver. */
  readonly parameter: (bound: Bound) => string | number | boolean;
  /** A column as a double, whatever numeric type it has. */
  readonly double: (column: Sql) => Sql;
  readonly infinity: Sql;
  readonly contains: (text: Sql, part: Sql) => Sql;
  readonly startsWith: (text: Sql, part: Sql) => Sql;
  readonly endsWith: (text: Sql, part: Sql) => Sql;
  /** Lower case of ASCII letters and of the two others whose lower case holds an ASCII letter. */
  readonly lowerAscii: (text: Sql) => Sql;
  /** In UTF-16 units. */
  readonly textLength: (text: Sql) => Sql;
  /** Ordered by code points. */
  readonly ordered: (text: Sql) => Sql;
  /** What lies at a path in JSON, or is the JSON itself. */
  readonly json: (column: Sql, path: readonly string[], as: 'text' | 'double precision' | 'boolean') => Sql;
  readonly listLength: (column: Sql) => Sql;
  /** A table whose one column `name` holds the elements of a list. */
  readonly elements: (column: Sql, name: string) => Sql;
}

const KELVIN_AND_DOTTED_I = (text: Sql): Sql =>
  sql`replace(replace(${text}, ${raw("'\u212A'")}, 'k'), ${raw("'\u0130'")}, ${raw("'i\u0307'")})`;

export const SQLITE: DialectRules = {
  name: 'sqlite',
  placeholder: () => '?',
  parameter: ({ value }) => (typeof value === 'boolean' ? Number(value) : value),
  double: (column) => sql`CAST(${column} AS REAL)`,
  infinity: raw('9e999'),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
  endsWith: (text, part) =>
    sql`CASE WHEN length(${text}) < length(${part}) THEN FALSE ELSE substr(${text}, length(${text}) - length(${part}) + 1) = ${part} END`,
  lowerAscii: (text) => sql`lower(${KELVIN_AND_DOTTED_I(text)})`,
  textLength: (text) =>
    sql`CASE WHEN ${text} GLOB ${raw("'*[\u{10000}-\u{10FFFF}]*'")} THEN (WITH RECURSIVE assay_units(at, units) AS (SELECT 1, 0 UNION ALL SELECT at + 1, units + CASE WHEN unicode(substr(${text}, at, 1)) > 65535 THEN 2 ELSE 1 END FROM assay_units WHERE at <= length(${text})) SELECT max(units) FROM assay_units) ELSE length(${text}) END`,
  ordered: (text) => text,
  json: (column, path) => (path.length === 0 ? column : sql`json_extract(${column}, ${raw(`'$.${path.join('.')}'`)})`),
  listLength: (column) => sql`json_array_length(${column})`,
  elements: (column, name) => sql`(SELECT value AS ${raw(name)} FROM json_each(${column}))`,
};

export const POSTGRES: DialectRules = {
  name: 'postgres',
  placeholder: ({ type }, position) => `$${position}::${type}`,
  // A driver may write a negative zero without its sign.
  parameter: ({ value }) => (Object.is(value, -0) ? '-0' : value),
  double: (column) => sql`${column}::double precision`,
  infinity: raw("'Infinity'::double precision"),
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`left(${text}, length(${part})) = ${part}`,
  endsWith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
  lowerAscii: (text) => sql`lower(${KELVIN_AND_DOTTED_I(text)} COLLATE "C")`,
  textLength: (text) =>
    sql`(length(${text}) + length(regexp_replace(${text} COLLATE "C", ${raw("'[^\\U00010000-\\U0010FFFF]'")}, '', 'g')))`,
  ordered: (text) => sql`${text} COLLATE "C"`,
  json: (column, path, as) => {
    const found = path.length === 0 ? column : sql`(${column}::jsonb #>> ${raw(`'{${path.join(',')}}'`)})`;
    return as === 'text' ? found : sql`${found}::${raw(as)}`;
  },
  listLength: (column) => sql`jsonb_array_length(${column}::jsonb)`,
  elements: (column, name) => sql`jsonb_array_elements_text(${column}::jsonb) AS ${raw(`${name}_of(${name})`)}`,
};

export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
