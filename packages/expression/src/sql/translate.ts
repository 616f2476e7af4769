import type { Field } from '../catalogue/catalogue.ts';
import { valueNow } from '../simplify/simplify.ts';
import { lookUp } from '../tree/look-up.ts';
import type {
  ArrayLit,
  Binary,
  Call,
  In,
  Index,
  Logical,
  Member,
  Node,
  Template,
  Ternary,
  Unary,
  Value,
} from '../tree/node.ts';
import { arithmetic, negated } from './arithmetic.ts';
import { among, equal, inOrder, needAscii, related, toNumber } from './compare.ts';
import { type Context, deeper, knowing } from './context.ts';
import { quoted } from './dialect.ts';
import { NotPushed, list, raw, sql } from './fragment.ts';
import type { Sql } from './fragment.ts';
import { isText, joined, text } from './text.ts';
import { booleanValue, type Column, chosen, columnOf, constantValue, literal, truthy } from './value.ts';
import type { SqlValue } from './value.ts';

/** Whether a node is truthy, two-valued. What may throw for a row that the catalogue allows is not pushed. */
export const condition = (node: Node, outer: Context): Sql => {
  const ctx = deeper(outer);
  if (node.kind === 'Logical') {
    if (node.op === '??') return coalesced(node, ctx);
    const right = condition(node.right, knowing(ctx, node.left, node.op === '&&'));
    return sql`(${condition(node.left, ctx)} ${raw(node.op === '&&' ? 'AND' : 'OR')} ${right})`;
  }
  if (node.kind === 'Unary' && node.op === '!') return sql`(NOT ${condition(node.operand, ctx)})`;
  if (node.kind === 'Ternary') {
    const then = condition(node.then, knowing(ctx, node.test, true));
    const otherwise = condition(node.else, knowing(ctx, node.test, false));
    return sql`CASE WHEN ${condition(node.test, ctx)} THEN ${then} ELSE ${otherwise} END`;
  }
  return truthy(value(node, outer));
};

const coalesced = (node: Logical, ctx: Context): Sql => {
  const left = value(node.left, ctx);
  if (left.nulls === 'never' || left.nulls === 'nan') return truthy(left);
  if (left.type === 'nullish') return condition(node.right, ctx);
  return sql`CASE WHEN ${left.sql} IS NOT NULL THEN ${truthy(left)} ELSE ${condition(node.right, ctx)} END`;
};

const value = (node: Node, outer: Context): SqlValue => {
  const ctx = deeper(outer);
  const now = node.kind === 'Constant' ? undefined : valueNow(node, ctx.scope);
  if (now) return constantValue(now.value);
  switch (node.kind) {
    case 'Param':
      return parameter(node.name, ctx);
    case 'Capture':
      throw new NotPushed('a captured value');
    case 'Constant':
      return constantValue(node.value);
    case 'Member':
    case 'Index':
    case 'Call':
      return chain(node, ctx);
    case 'Binary':
      return binary(node, ctx);
    case 'Logical':
      return logical(node, ctx);
    case 'Unary':
      return unary(node, ctx);
    case 'Ternary':
      return ternary(node, ctx);
    case 'Template':
      return template(node, ctx);
    case 'In':
      return booleanValue(membership(node, ctx));
    case 'ObjectLit':
    case 'ArrayLit':
    case 'Lambda':
      throw new NotPushed(`a ${node.kind} as a value`);
  }
};

const parameter = (name: string, ctx: Context): SqlValue => {
  const bound = ctx.bindings.get(name);
  if (bound) return bound;
  if (name !== ctx.row) throw new NotPushed('a parameter that is not the row');
  return { sql: raw('NULL'), type: 'row', nulls: 'never' };
};

/** A run of members, indexes and calls: an optional link on null ends all of it with undefined. */
const chain = (node: Member | Index | Call, ctx: Context): SqlValue => {
  const needed: Sql[] = [];
  const end = link(node, ctx, needed);
  if (needed.length === 0) return end;
  if (end.nulls !== 'never' && end.nulls !== 'undefined') throw new NotPushed('null or undefined');
  const known = list(
    needed.map((piece) => sql`${piece} IS NOT NULL`),
    ' AND ',
  );
  const found = sql`CASE WHEN ${known} THEN ${end.sql} END`;
  const truth = { of: found, sql: sql`(${known} AND ${truthy(end)})` };
  return { ...end, sql: found, nulls: 'undefined', constant: undefined, truth };
};

const link = (node: Node, outer: Context, needed: Sql[]): SqlValue => {
  const ctx = deeper(outer);
  if (node.kind === 'Call') return call(node, ctx, needed);
  if (node.kind !== 'Member' && node.kind !== 'Index') return value(node, outer);
  const object = base(node.object, node.optional === true, ctx, needed);
  if (node.kind === 'Member') return member(object, node.prop, ctx);
  const index = value(node.index, ctx).constant?.value;
  if (typeof index !== 'string') throw new NotPushed('an index that is not constant');
  return member(object, index, ctx);
};

const base = (node: Node, optional: boolean, ctx: Context, needed: Sql[]): SqlValue => {
  const object = link(node, ctx, needed);
  if (object.nulls === 'never') return object;
  if (object.nulls === 'nan') throw new NotPushed('a member of a number');
  if (!optional || object.type === 'nullish') throw new NotPushed('may be null');
  needed.push(object.sql);
  return { ...object, nulls: 'never' };
};

const member = (object: SqlValue, prop: string, ctx: Context): SqlValue => {
  if (object.type === 'row') return column(prop, ctx);
  if (object.json?.field.fields) return nested(object.json.field.fields, prop, object.json, ctx);
  if (prop !== 'length') throw new NotPushed('a member of a value');
  if (object.asciiOnly) throw new NotPushed('the length of what is known in part');
  if (object.constant) {
    const constant = object.constant.value;
    if (typeof constant === 'string' || Array.isArray(constant)) return constantValue(constant.length);
  } else if (object.type === 'string') {
    return { sql: sql`(${ctx.rules.textLength(object.sql)})`, type: 'number', nulls: 'never', stored: true };
  } else if (object.type === 'list') {
    return { sql: ctx.rules.listLength(object.sql), type: 'number', nulls: 'never', stored: true };
  }
  throw new NotPushed('a member of a value');
};

const VALUE_TYPES = {
  string: 'string',
  enum: 'string',
  number: 'number',
  duration: 'number',
  boolean: 'boolean',
  date: 'date',
  strings: 'list',
  list: 'list',
  object: 'object',
} as const;

const column = (name: string, ctx: Context): SqlValue => {
  const field = lookUp(ctx.catalogue.fields, name);
  if (!field) throw new NotPushed('no field');
  return fromColumn(field, field.column ?? name, field.nullable === true && !ctx.present.has(name), ctx);
};

const fromColumn = (field: Field, name: string, nullable: boolean, { rules, table }: Context): SqlValue => {
  const type = VALUE_TYPES[field.type];
  const own = raw(table === undefined ? quoted(name) : `${quoted(table)}.${quoted(name)}`);
  const as = rules.name === 'postgres' ? (field.stored === 'integer' ? 'bigint' : field.stored) : undefined;
  const found = as === 'timestamptz' ? rules.double(sql`(extract(epoch FROM ${own}) * 1000)`) : own;
  const isText = type === 'string';
  const kept: Column['as'] | undefined = isText ? 'text' : as;
  return {
    sql: found,
    type,
    nulls: nullable ? 'null' : 'never',
    stored: true,
    // SQLite stores a negative zero without its sign.
    negativeZero: rules.name === 'postgres' && as === undefined,
    json: type === 'list' || type === 'object' ? { field, column: own, path: [] } : undefined,
    column: kept && { of: found, sql: own, as: kept, binary: field.collation === 'binary' },
  };
};

/** A field of an object: in a column of its own, or in the JSON of the object. */
const nested = (
  fields: Readonly<Record<string, Field>>,
  name: string,
  { column: own, path }: NonNullable<SqlValue['json']>,
  ctx: Context,
): SqlValue => {
  const field = lookUp(fields, name);
  if (!field) throw new NotPushed('no field');
  if (field.column !== undefined) return fromColumn(field, field.column, field.nullable === true, ctx);
  if (!/^[a-z_]\w*$/i.test(name)) throw new NotPushed('a name that a path would have to quote');
  return inJson(field, own, [...path, name], ctx);
};

const JSON_TYPES = {
  string: 'text',
  number: 'double precision',
  date: 'double precision',
  boolean: 'boolean',
} as const;

/** What lies at a path in JSON: dates as milliseconds; what may be null is there as null. */
const inJson = (field: Field, own: Sql, path: readonly string[], { rules }: Context): SqlValue => {
  const type = VALUE_TYPES[field.type];
  const isComposite = type === 'list' || type === 'object';
  return {
    sql: rules.json(own, path, isComposite ? 'text' : JSON_TYPES[type]),
    type,
    nulls: field.nullable ? 'null' : 'never',
    stored: true,
    json: isComposite ? { field, column: own, path } : undefined,
  };
};

/** From the prefix up to the first text behind all that begin with it. */
const withPrefix = (text: SqlValue, prefix: string, { rules }: Context): Sql => {
  const ordered = inOrder(text, rules);
  const from = sql`${ordered} >= ${constantValue(prefix).sql}`;
  const end = textBehind(prefix);
  return end === undefined ? sql`(${from})` : sql`(${from} AND ${ordered} < ${constantValue(end).sql})`;
};

const textBehind = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (char) => char.codePointAt(0)!);
  for (let last = points.pop(); last !== undefined; last = points.pop())
    if (last < 0x10_ffff) return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
  return undefined;
};

const call = (node: Call, ctx: Context, needed: Sql[]): SqlValue => {
  const { callee } = node;
  if (node.optional) throw new NotPushed('an optional call');
  if (callee.kind === 'Capture' && callee.global) return conversion(callee.name, node.args, ctx);
  if (callee.kind !== 'Member') throw new NotPushed('a call');
  const { object } = callee;
  if (object.kind === 'Capture' && object.global) return globalCall(object.name, callee.prop, node.args, ctx);
  const [argument, ...others] = node.args;
  if (callee.prop === 'includes' && argument && others.length === 0) {
    const elements = listElements(object, ctx);
    if (elements) return booleanValue(among(value(argument, ctx), elements, ctx.rules));
  }
  return method(base(object, callee.optional === true, ctx, needed), callee.prop, node.args, ctx);
};

const conversion = (name: string, args: readonly Node[], ctx: Context): SqlValue => {
  const [argument, ...others] = args;
  if (argument && others.length === 0) {
    if (name === 'Boolean') return booleanValue(condition(argument, ctx));
    if (name === 'String') return { sql: text(value(argument, ctx)), type: 'string', nulls: 'never' };
    if (name === 'Number') return toNumber(value(argument, ctx), ctx.rules);
  }
  throw new NotPushed('a call');
};

const globalCall = (name: string, prop: string, args: readonly Node[], ctx: Context): SqlValue => {
  const [argument, ...others] = args;
  if (name !== 'Math' || prop !== 'abs' || !argument || others.length > 0) throw new NotPushed('a call');
  const number = toNumber(value(argument, ctx), ctx.rules);
  if (number.constant) return constantValue(Math.abs(number.constant.value as number));
  return { ...number, sql: sql`abs(${number.sql})`, negativeZero: false };
};

const method = (object: SqlValue, name: string, args: readonly Node[], ctx: Context): SqlValue => {
  const { rules } = ctx;
  const [argument, ...others] = args;
  if (object.type === 'date' && !object.constant && args.length === 0 && (name === 'getTime' || name === 'valueOf')) {
    return { ...object, type: 'number' };
  }
  if (object.type === 'string' && args.length === 0 && name === 'toLowerCase') {
    const { constant } = object;
    if (constant) return constantValue((constant.value as string).toLowerCase());
    return { ...object, sql: rules.lowerAscii(object.sql), asciiOnly: true };
  }
  if (!argument || others.length > 0) throw new NotPushed('a method');
  if (object.type === 'list') return booleanValue(listMethod(object, name, argument, ctx));
  if (object.type === 'string' && (name === 'includes' || name === 'startsWith' || name === 'endsWith')) {
    const part = value(argument, ctx);
    if (part.type !== 'string' || part.nulls !== 'never') throw new NotPushed('a part that is no text');
    const both = [object.constant?.value, part.constant?.value];
    if (typeof both[0] === 'string' && typeof both[1] === 'string') return constantValue(both[0][name](both[1]));
    needAscii(object, part);
    const prefix = part.constant?.value as string | undefined;
    if (name === 'startsWith' && prefix && columnOf(object)) return booleanValue(withPrefix(object, prefix, ctx));
    const test = name === 'includes' ? rules.contains : rules[name];
    return booleanValue(sql`(${test(object.sql, part.sql)})`);
  }
  throw new NotPushed('a method');
};

/** Columns of SQLite's json_each, which would be taken for those of the table. */
const JSON_EACH = new Set(['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path', 'json', 'root', 'rowid']);

/** An identifier that no table stands before. */
const LONE_NAME = /(?<![."])"([^"]*)"(?![."])/g;

const listMethod = (object: SqlValue, name: string, argument: Node, ctx: Context): Sql => {
  const column = `assay_e${ctx.depth}`;
  const items: Field = object.json?.field.items ?? { type: 'string' };
  const element = inJson(items, raw(column), [], ctx);
  const names = object.sql.parts.flatMap((part) => (typeof part === 'string' ? [...part.matchAll(LONE_NAME)] : []));
  if (ctx.rules.name === 'sqlite' && names.some(([, name]) => JSON_EACH.has(name!.toLowerCase()))) {
    throw new NotPushed('a column that has the name of one of json_each');
  }
  const where = elementTest(name, argument, element, ctx);
  const exists = sql`EXISTS (SELECT 1 FROM ${ctx.rules.elements(object.sql, column)} WHERE ${where})`;
  return name === 'every' ? sql`(NOT ${exists})` : exists;
};

const elementTest = (name: string, argument: Node, element: SqlValue, ctx: Context): Sql => {
  if (name === 'includes') return equal(element, value(argument, ctx), ctx.rules);
  const [parameter, ...others] = argument.kind === 'Lambda' ? argument.params : [];
  if ((name !== 'some' && name !== 'every') || argument.kind !== 'Lambda' || !parameter || others.length > 0) {
    throw new NotPushed('a method');
  }
  const test = condition(argument.body, { ...ctx, bindings: new Map([...ctx.bindings, [parameter, element]]) });
  return name === 'some' ? test : sql`(NOT ${test})`;
};

const binary = (node: Binary, ctx: Context): SqlValue => {
  const { op } = node;
  if (op === 'instanceof' || op === 'in' || op === '%' || op === '**') throw new NotPushed(op);
  const [left, right] = [value(node.left, ctx), value(node.right, ctx)];
  switch (op) {
    case '===':
      return booleanValue(equal(left, right, ctx.rules));
    case '!==':
      return booleanValue(sql`(NOT ${equal(left, right, ctx.rules)})`);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return booleanValue(related(op, left, right, ctx.rules));
    case '+':
      if (isText(left) || isText(right)) return joined([left, right]);
      if (left.type === 'string' || right.type === 'string') throw new NotPushed('a text or null');
      if (left.type === 'date' || right.type === 'date') throw new NotPushed('a date as a text');
      return arithmetic(op, toNumber(left, ctx.rules), toNumber(right, ctx.rules), ctx.rules);
    case '-':
    case '*':
    case '/':
      return arithmetic(op, toNumber(left, ctx.rules), toNumber(right, ctx.rules), ctx.rules);
  }
};

const template = (node: Template, ctx: Context): SqlValue => {
  const pieces = node.quasis.flatMap((quasi, at): SqlValue[] => {
    const expression = node.exprs[at];
    return expression ? [constantValue(quasi), value(expression, ctx)] : [constantValue(quasi)];
  });
  return joined(pieces.filter((piece) => piece.constant?.value !== ''));
};

const logical = (node: Logical, ctx: Context): SqlValue => {
  const left = value(node.left, ctx);
  if (node.op === '??') {
    if (left.nulls === 'never' || left.nulls === 'nan') return left;
    const right = value(node.right, ctx);
    if (left.type === 'nullish') return right;
    return chosen(sql`COALESCE(${left.sql}, ${right.sql})`, { ...left, nulls: 'never', constant: undefined }, right);
  }
  const right = value(node.right, knowing(ctx, node.left, node.op === '&&'));
  const [then, otherwise] = node.op === '&&' ? [right, left] : [{ ...left, nulls: 'never' as const }, right];
  if (left.type === 'nullish') return node.op === '&&' ? left : right;
  const test = left.constant ? literal(Boolean(left.constant.value)) : truthy(left);
  return chosen(sql`CASE WHEN ${test} THEN ${then.sql} ELSE ${otherwise.sql} END`, then, otherwise);
};

const unary = (node: Unary, ctx: Context): SqlValue => {
  if (node.op === '!') return booleanValue(sql`(NOT ${condition(node.operand, ctx)})`);
  const operand = value(node.operand, ctx);
  if (node.op === 'typeof') return typeOf(operand);
  if (operand.type === 'bigint') throw new NotPushed('a bigint');
  const number = toNumber(operand, ctx.rules);
  return node.op === '-' ? negated(number, ctx.rules) : number;
};

const typeOf = (operand: SqlValue): SqlValue => {
  if (operand.constant) return constantValue(typeof operand.constant.value);
  const name = ['string', 'number', 'boolean'].includes(operand.type) ? operand.type : 'object';
  const ofNull = operand.nulls === 'null' ? 'object' : 'undefined';
  if (operand.nulls === 'never' || operand.nulls === 'nan' || ofNull === name) return constantValue(name);
  const choice = sql`CASE WHEN ${operand.sql} IS NULL THEN ${constantValue(ofNull).sql} ELSE ${constantValue(name).sql} END`;
  return { sql: choice, type: 'string', nulls: 'never' };
};

const ternary = (node: Ternary, ctx: Context): SqlValue => {
  const test = condition(node.test, ctx);
  const then = value(node.then, knowing(ctx, node.test, true));
  const otherwise = value(node.else, knowing(ctx, node.test, false));
  return chosen(sql`CASE WHEN ${test} THEN ${then.sql} ELSE ${otherwise.sql} END`, then, otherwise);
};

const membership = (node: In, ctx: Context): Sql => {
  const needle = value(node.needle, ctx);
  const elements = listElements(node.haystack, ctx);
  if (elements) return among(needle, elements, ctx.rules);
  const haystack = value(node.haystack, ctx);
  if (haystack.type !== 'list' || haystack.nulls !== 'never') throw new NotPushed('membership');
  return listMethod(haystack, 'includes', node.needle, ctx);
};

const listElements = (node: Node, ctx: Context): SqlValue[] | undefined => {
  if (node.kind === 'ArrayLit') return literalElements(node, ctx);
  const constant = node.kind === 'Constant' ? node.value : valueNow(node, ctx.scope)?.value;
  return Array.isArray(constant) ? (constant as readonly Value[]).map(constantValue) : undefined;
};

const literalElements = (node: ArrayLit, ctx: Context): SqlValue[] =>
  node.elements.map((element) => {
    if ('spread' in element) throw new NotPushed('a spread');
    return value(element, ctx);
  });
