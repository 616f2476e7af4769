import {
  checked,
  forbidProto,
  lengthOf,
  ownEntries,
  readOwn,
  timeOf,
  toInteger,
  toText,
  typeOf,
} from './eval-value.ts';
import { type Run, type Site, charge, fail, roomForItems, roomForText } from './run.ts';

/** `JSON.parse` of what fits the limits. */
export const parseJson = (run: Run, value: unknown, at: Site): unknown => {
  const text = toText(run, value, at);
  roomForText(run, text.length, at);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return fail('eval.syntax', at, 'The text is not JSON');
  }
  checkParsed(run, parsed, at);
  return parsed;
};

const checkParsed = (run: Run, root: unknown, at: Site): void => {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, depth } = item;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > run.limits.depth) fail('limit.depth', at, 'The JSON is nested too deeply');
    const keys = Array.isArray(value) ? null : Object.keys(value);
    const items: unknown[] = keys ? Object.values(value) : (value as unknown[]);
    roomForItems(run, items.length, at);
    keys?.forEach((key) => forbidProto(key, at));
    for (const child of items) if (typeof child === 'object') open.push({ value: child, depth: depth + 1 });
  }
};

/** `JSON.stringify` of own data: no `toJSON` is ever called, and a replacer is not taken. */
export const writeJson = (run: Run, args: readonly unknown[], at: Site): string | undefined => {
  if (args[1] !== undefined && args[1] !== null) fail('eval.type', at, 'JSON.stringify takes no replacer here');
  const indent =
    typeof args[2] === 'number'
      ? ' '.repeat(Math.max(0, Math.min(10, toInteger(run, args[2], at))))
      : typeof args[2] === 'string'
        ? args[2].slice(0, 10)
        : '';
  let length = 0;
  const piece = (text: string): string => {
    length += text.length;
    if (length > run.limits.outputStringLength) roomForText(run, length, at);
    return text;
  };
  const write = (value: unknown, gap: string, depth: number): string | undefined => {
    if (depth > run.limits.depth) fail('limit.depth', at, 'The data is nested too deeply');
    charge(run, 1, at);
    switch (typeOf(checked(value, at))) {
      case 'undefined':
        return undefined;
      case 'bigint':
        return fail('eval.type', at, 'A bigint has no JSON');
      case 'date':
        return Number.isNaN(timeOf(value as Date))
          ? piece('null')
          : piece(`"${new Date(timeOf(value as Date)).toISOString()}"`);
      case 'array':
        return list(value as object, gap, depth);
      case 'object':
        return record(value as object, gap, depth);
      case 'regexp':
        return piece('{}');
      case 'string':
        roomForText(run, (value as string).length, at);
        return piece(JSON.stringify(value));
      case 'null':
      case 'boolean':
      case 'number':
        return piece(JSON.stringify(value));
    }
  };
  const list = (array: object, gap: string, depth: number): string => {
    const parts: string[] = [];
    const size = lengthOf(array);
    charge(run, size, at);
    for (let index = 0; index < size; index++)
      parts.push(write(readOwn(array, index, at), gap + indent, depth + 1) ?? piece('null'));
    return wrap('[', parts, ']', gap);
  };
  const record = (object: object, gap: string, depth: number): string => {
    const parts: string[] = [];
    for (const [key, value] of ownEntries(run, object, at)) {
      const text = write(value, gap + indent, depth + 1);
      if (text !== undefined) parts.push(`${piece(JSON.stringify(key))}:${indent && ' '}${text}`);
    }
    return wrap('{', parts, '}', gap);
  };
  const wrap = (open: string, parts: readonly string[], close: string, gap: string): string => {
    if (parts.length === 0) return piece(open + close);
    piece(`${open}${close}`);
    for (let count = 0; count < parts.length; count++) piece(indent && `\n${gap}${indent}`);
    return indent
      ? `${open}\n${gap}${indent}${parts.join(`,\n${gap}${indent}`)}\n${gap}${close}`
      : `${open}${parts.join(',')}${close}`;
  };
  const text = write(args[0], '', 1);
  if (text !== undefined) roomForText(run, text.length, at);
  return text;
};
