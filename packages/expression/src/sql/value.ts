import type { Field } from '../catalogue/catalogue.ts';
import type { Value } from '../tree/node.ts';
import { FALSE, NotPushed, TRUE, bound, list, raw, sql } from './fragment.ts';
import type { Sql } from './fragment.ts';

/** What SQL's NULL stands for in a value: one thing only, or it could not be told apart. */
export type NullMeaning = 'never' | 'null' | 'undefined' | 'nan';

export interface SqlValue {
  readonly sql: Sql;
  /** `nullish` is a constant null or undefined; `object` a field with fields, or a constant that is none of the others. */
  readonly type: 'string' | 'number' | 'boolean' | 'date' | 'list' | 'bigint' | 'object' | 'nullish' | 'row';
  readonly nulls: NullMeaning;
  readonly constant?: { readonly value: Value } | undefined;
  /** A number that may be a negative zero. */
  readonly negativeZero?: boolean | undefined;
  /** A number that may be infinite. */
  readonly infinite?: boolean | undefined;
  /** A column as it is stored, whose numeric type is not known. */
  readonly stored?: boolean | undefined;
  /** Only its ASCII characters are what they are in memory; others may be other non-ASCII characters. */
  readonly asciiOnly?: boolean | undefined;
  /** Of a list or an object: what it holds, and where its JSON is. */
  readonly json?: { readonly field: Field; readonly column: Sql; readonly path: readonly string[] } | undefined;
  /** The column that `of` is, to be compared as what it is, so that an index can be used. */
  readonly column?: Column | undefined;
  /** Where `of` is true, as a condition that an index can answer. */
  readonly truth?: { readonly of: Sql; readonly sql: Sql } | undefined;
}

export interface Column {
  readonly of: Sql;
  readonly sql: Sql;
  readonly as: 'text' | 'bigint' | 'timestamptz';
  /** Whether its own order is that of code points. */
  readonly binary: boolean;
}

/** The column of a value that is nothing but it. */
export const columnOf = ({ column, sql }: SqlValue): Column | undefined => (column?.of === sql ? column : undefined);

export const constantValue = (value: Value): SqlValue => {
  const constant = { value };
  if (value === null || value === undefined) {
    return { sql: raw('NULL'), type: 'nullish', nulls: value === null ? 'null' : 'undefined', constant };
  }
  if (typeof value === 'string') return { sql: text(value), type: 'string', nulls: 'never', constant };
  if (typeof value === 'boolean') return { sql: bound(value, 'boolean'), type: 'boolean', nulls: 'never', constant };
  if (typeof value === 'number') return numberValue(value);
  if (value instanceof Date) {
    return { sql: bound(value.getTime(), 'double precision'), type: 'date', nulls: 'never', constant };
  }
  return { sql: raw('NULL'), type: typeof value === 'bigint' ? 'bigint' : 'object', nulls: 'never', constant };
};

const numberValue = (value: number): SqlValue => {
  const isNaN = Number.isNaN(value);
  return {
    sql: isNaN ? raw('CAST(NULL AS double precision)') : bound(value, 'double precision'),
    type: 'number',
    nulls: isNaN ? 'nan' : 'never',
    constant: { value },
    negativeZero: Object.is(value, -0),
    infinite: value === Infinity || value === -Infinity,
  };
};

/** Lone surrogates and NUL do not survive the way to a database. */
const text = (value: string): Sql => {
  if (!value.isWellFormed() || value.includes('\0')) throw new NotPushed('a text that no database can hold');
  return bound(value, 'text');
};

export const booleanValue = (condition: Sql): SqlValue => ({ sql: condition, type: 'boolean', nulls: 'never' });

export const literal = (holds: boolean): Sql => (holds ? TRUE : FALSE);

/** Two-valued. */
export const truthy = (value: SqlValue): Sql => {
  if (value.constant) return literal(Boolean(value.constant.value));
  if (value.truth?.of === value.sql) return value.truth.sql;
  switch (value.type) {
    case 'string':
      return whereKnown(sql`${value.sql} <> ''`, value);
    case 'number':
      return whereKnown(sql`${value.sql} <> 0`, value);
    case 'boolean':
      return value.nulls === 'never' ? value.sql : sql`(${value.sql} IS TRUE)`;
    case 'date':
    case 'list':
    case 'object':
      return value.nulls === 'never' ? TRUE : sql`(${value.sql} IS NOT NULL)`;
    case 'nullish':
      return FALSE;
    case 'row':
    case 'bigint':
      return TRUE;
  }
};

/** Two-valued: false where one of the values is NULL. A column can so be looked up in an index. */
export const whereKnown = (condition: Sql, ...values: readonly SqlValue[]): Sql => {
  const nullable = values.filter(({ nulls }) => nulls !== 'never');
  if (nullable.length === 0) return sql`(${condition})`;
  if (nullable.some(({ stored }) => !stored)) return sql`((${condition}) IS TRUE)`;
  return sql`(${list([condition, ...nullable.map((value) => sql`${value.sql} IS NOT NULL`)], ' AND ')})`;
};

/** What the two of them are when one or the other is chosen. */
export const chosen = (piece: Sql, one: SqlValue, other: SqlValue): SqlValue => {
  if (one.type !== other.type && one.type !== 'nullish' && other.type !== 'nullish')
    throw new NotPushed('one of two types');
  if (one.nulls !== other.nulls && one.nulls !== 'never' && other.nulls !== 'never') {
    throw new NotPushed('null or undefined');
  }
  const type = one.type === 'nullish' ? other.type : one.type;
  if (type === 'bigint' || type === 'object' || type === 'list' || type === 'row') throw new NotPushed('an object');
  return {
    sql: piece,
    type,
    nulls: one.nulls === 'never' ? other.nulls : one.nulls,
    negativeZero: Boolean(one.negativeZero) || Boolean(other.negativeZero),
    infinite: Boolean(one.infinite) || Boolean(other.infinite),
    asciiOnly: Boolean(one.asciiOnly) || Boolean(other.asciiOnly),
    stored: Boolean(one.stored) || Boolean(other.stored),
  };
};
