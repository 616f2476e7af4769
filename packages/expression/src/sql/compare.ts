import type { Value } from '../tree/node.ts';
import { asDouble } from './arithmetic.ts';
import type { DialectRules } from './dialect.ts';
import { bound, FALSE, NotPushed, joinAll, list, raw, sql } from './fragment.ts';
import type { Sql } from './fragment.ts';
import { type Column, columnOf, constantValue, literal, whereKnown } from './value.ts';
import type { SqlValue } from './value.ts';

export type Relation = '<' | '<=' | '>' | '>=';

/** `===`, two-valued. */
export const equal = (left: SqlValue, right: SqlValue, rules: DialectRules): Sql => {
  const bothNull = left.nulls === right.nulls && (left.nulls === 'null' || left.nulls === 'undefined');
  if (left.type === 'nullish') return bothNull ? isNull(right) : FALSE;
  if (right.type === 'nullish') return bothNull ? isNull(left) : FALSE;
  if (left.type !== right.type) return bothNull ? sql`(${left.sql} IS NULL AND ${right.sql} IS NULL)` : FALSE;
  if (!['string', 'number', 'boolean'].includes(left.type)) throw new NotPushed('the identity of objects');
  if (left.constant && right.constant) return literal(left.constant.value === right.constant.value);
  needAscii(left, right);
  if (left.constant) return equal(right, left, rules);
  const column = columnOf(left);
  if (column?.as === 'bigint' && right.constant) {
    const whole = wholeBound(column, right.constant.value as number);
    return whole ? whereKnown(sql`${left.sql} = ${whole}`, left) : FALSE;
  }
  if (bothNull) {
    return sql`(${left.sql} ${raw(rules.name === 'sqlite' ? 'IS' : 'IS NOT DISTINCT FROM')} ${right.sql})`;
  }
  return whereKnown(sql`${left.sql} = ${right.sql}`, left, right);
};

/** Membership in a list by SameValueZero, two-valued. */
export const among = (needle: SqlValue, elements: readonly SqlValue[], rules: DialectRules): Sql => {
  const same = elements.filter(
    (element) => element.constant && element.type === needle.type && element.nulls === 'never' && isScalar(element),
  );
  const conditions: Sql[] = [];
  if (same.length > 0 && !needle.constant) {
    for (const element of same) needAscii(needle, element);
    const column = columnOf(needle);
    const choices = same.flatMap((element) =>
      column?.as === 'bigint' ? (wholeBound(column, element.constant!.value as number) ?? []) : element.sql,
    );
    if (choices.length > 0) conditions.push(whereKnown(sql`${needle.sql} IN (${list(choices, ', ')})`, needle));
  }
  for (const element of elements) {
    if (same.includes(element) && !needle.constant) continue;
    conditions.push(sameValue(needle, element, rules));
  }
  const possible = conditions.filter((condition) => condition !== FALSE);
  return possible.length === 0 ? FALSE : joinAll(possible, 'OR');
};

const isScalar = (value: SqlValue): boolean => ['string', 'number', 'boolean'].includes(value.type);

const sameValue = (needle: SqlValue, element: SqlValue, rules: DialectRules): Sql => {
  if (needle.nulls !== 'nan' || element.nulls !== 'nan') return equal(needle, element, rules);
  if (needle.constant && element.constant) return literal(true);
  const both = sql`(${needle.sql} IS NULL AND ${element.sql} IS NULL)`;
  return sql`(${equal(needle, element, rules)} OR ${both})`;
};

/** `<`, `<=`, `>` and `>=`, two-valued. */
export const related = (op: Relation, left: SqlValue, right: SqlValue, rules: DialectRules): Sql => {
  if (left.constant && right.constant) return literal(holds(op, left.constant.value, right.constant.value));
  if (right.constant) return relatedTo(op, left, right.constant.value, rules);
  if (left.constant) return relatedTo(MIRRORED[op], right, left.constant.value, rules);
  if (left.type === 'string' && right.type === 'string') throw new NotPushed('an order of two texts by UTF-16 units');
  const [x, y] = [toNumber(left, rules), toNumber(right, rules)];
  return whereKnown(sql`${x.sql} ${raw(op)} ${y.sql}`, x, y);
};

const MIRRORED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

const relatedTo = (op: Relation, left: SqlValue, constant: Value, rules: DialectRules): Sql => {
  if (left.type === 'string') {
    if (typeof constant !== 'string') throw new NotPushed('a text as a number');
    // Code points and UTF-16 units agree on the order of a text and one that has only units below the surrogates.
    if (left.asciiOnly || /[\ud800-\uffff]/.test(constant)) throw new NotPushed('an order of texts by UTF-16 units');
    return orNull(op, left, constant, sql`${inOrder(left, rules)} ${raw(op)} ${constantValue(constant).sql}`);
  }
  if (!['number', 'date', 'boolean'].includes(left.type)) throw new NotPushed('an order of objects');
  const number = constantNumber(constant);
  if (Number.isNaN(number)) return FALSE;
  const column = columnOf(left);
  const [limit, towards] = wholeLimit(op, number);
  const whole = column && wholeBound(column, limit);
  if (whole) return orNull(op, { ...left, sql: column.sql }, constant, sql`${column.sql} ${raw(towards)} ${whole}`);
  const comparable = left.type === 'boolean' ? toNumber({ ...left, nulls: 'undefined' }, rules) : left;
  return orNull(op, left, constant, sql`${comparable.sql} ${raw(op)} ${constantValue(number).sql}`);
};

/** What a column of whole numbers, or of times, is compared with; undefined where it holds no such value. */
const wholeBound = ({ as }: Column, value: number): Sql | undefined => {
  if (!Number.isSafeInteger(value) || as === 'text') return undefined;
  if (as === 'bigint') return bound(value, 'bigint');
  const time = new Date(value);
  const year = Number.isNaN(time.getTime()) ? 0 : time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? bound(time.toISOString(), 'timestamptz') : undefined;
};

/** The same comparison of whole numbers with a whole number. */
const wholeLimit = (op: Relation, limit: number): readonly [number, Relation] => {
  if (Number.isInteger(limit)) return [limit, op];
  return op.startsWith('<') ? [Math.floor(limit), '<='] : [Math.ceil(limit), '>='];
};

/** A text as it is ordered by code points. */
export const inOrder = (text: SqlValue, rules: DialectRules): Sql =>
  columnOf(text)?.binary ? text.sql : rules.ordered(text.sql);

/** Null orders as zero; undefined and NaN are in no order. */
const orNull = (op: Relation, left: SqlValue, constant: Value, condition: Sql): Sql =>
  left.nulls === 'null' && holds(op, null, constant)
    ? sql`(${condition} OR ${left.sql} IS NULL)`
    : whereKnown(condition, left);

const holds = (op: Relation, left: Value, right: Value): boolean => {
  const [x, y] = typeof left === 'string' && typeof right === 'string' ? [left, right] : [order(left), order(right)];
  switch (op) {
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    case '>=':
      return x >= y;
  }
};

const order = (value: Value): number | bigint => (typeof value === 'bigint' ? value : constantNumber(value));

const constantNumber = (value: Value): number => {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
    return Number(value);
  if (typeof value === 'string') return Number(value);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint' && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)))
    return Number(value);
  throw new NotPushed('a conversion to a number');
};

/** ToNumber of what is no text and no list; NULL then stands for NaN. */
export const toNumber = (value: SqlValue, rules: DialectRules): SqlValue => {
  if (value.constant) {
    if (value.type === 'bigint') throw new NotPushed('a bigint');
    return constantValue(constantNumber(value.constant.value));
  }
  const nulls = value.nulls === 'undefined' || value.nulls === 'nan' ? 'nan' : 'never';
  if (value.type === 'boolean') {
    const otherwise = raw(nulls === 'nan' ? '' : ' WHEN TRUE THEN 0.0');
    const digit = sql`CASE WHEN ${value.sql} THEN 1.0 WHEN NOT ${value.sql} THEN 0.0${otherwise} END`;
    return { sql: rules.double(sql`(${digit})`), type: 'number', nulls };
  }
  if (value.type !== 'number' && value.type !== 'date') throw new NotPushed('a conversion to a number');
  if (value.nulls !== 'null') return { ...value, type: 'number', nulls };
  return { ...value, sql: sql`COALESCE(${asDouble(value, rules)}, 0)`, type: 'number', nulls, stored: false };
};

const isNull = (value: SqlValue): Sql => (value.nulls === 'never' ? FALSE : sql`(${value.sql} IS NULL)`);

/** Of a text that is known in its ASCII characters only, equality with an ASCII constant is known. */
export const needAscii = (left: SqlValue, right: SqlValue): void => {
  for (const [value, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (value.asciiOnly && !isAscii(other.constant?.value)) throw new NotPushed('lower case of more than ASCII');
  }
};

// oxlint-disable-next-line no-control-regex
const isAscii = (value: Value): boolean => typeof value === 'string' && /^[\x00-\x7f]*$/.test(value);
