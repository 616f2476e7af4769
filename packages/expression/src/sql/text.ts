import { NotPushed, list, raw, sql } from './fragment.ts';
import type { Sql } from './fragment.ts';
import { constantValue } from './value.ts';
import type { SqlValue } from './value.ts';

export const isText = ({ type, nulls }: SqlValue): boolean => type === 'string' && nulls === 'never';

/** Texts one behind the other. */
export const joined = (values: readonly SqlValue[]): SqlValue => {
  const texts = values.map(constantText);
  if (texts.every((item) => item !== undefined)) return constantValue(texts.join(''));
  return { sql: sql`(${list(values.map(text), ' || ')})`, type: 'string', nulls: 'never' };
};

const constantText = ({ constant }: SqlValue): string | undefined => {
  if (!constant) return undefined;
  const { value } = constant;
  return value === null || typeof value !== 'object' ? String(value) : undefined;
};

/** ToString of what both databases and memory write alike. */
export const text = (item: SqlValue): Sql => {
  const constant = constantText(item);
  if (constant !== undefined) return constantValue(constant).sql;
  const nothing = raw(item.nulls === 'undefined' ? "'undefined'" : "'null'");
  if (item.type === 'string' && !item.asciiOnly) {
    return item.nulls === 'never' ? item.sql : sql`COALESCE(${item.sql}, ${nothing})`;
  }
  if (item.type === 'boolean') {
    return sql`CASE WHEN ${item.sql} THEN 'true' WHEN NOT ${item.sql} THEN 'false' ELSE ${nothing} END`;
  }
  throw new NotPushed('a conversion to a text');
};
