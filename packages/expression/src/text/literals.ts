import { VALUE_GLOBALS } from '../tree/globals.ts';
import type { Node, Property, Spread, Value } from '../tree/node.ts';
import { nameEnd } from './name-end.ts';
import { isReserved } from './names.ts';
import {
  accept,
  at,
  atWord,
  describe,
  done,
  enter,
  expected,
  leave,
  MISSING,
  type Parser,
  refuse,
  refuseName,
  skipTo,
  skipToClose,
  take,
  unsupported,
} from './parser.ts';
import { report, reportLimit } from './source.ts';
import { readEscape } from './strings.ts';
import { next } from './tokens.ts';

type Read = (parser: Parser) => Node;

/** Elements between the token at hand and `close`, each read by `item`. */
function list<T>(
  parser: Parser,
  close: string,
  item: (parser: Parser, read: Read) => T | undefined,
  read: Read,
): readonly T[] {
  const items: T[] = [];
  next(parser);
  while (!at(parser, close) && !at(parser, 'end')) {
    const { start, pos } = parser;
    const made = item(parser, read);
    if (made !== undefined) items.push(made);
    if (items.length === parser.limits.items + 1) reportLimit(parser, 'items', items.length, start, pos);
    if (!accept(parser, ',') && !at(parser, close)) {
      expected(parser, `, or ${close}`);
      if (at(parser, ')') || at(parser, ']') || at(parser, '}')) break;
      if (parser.start === start && !at(parser, 'end')) next(parser);
    }
  }
  take(parser, close);
  return items;
}

export const arguments_ = (parser: Parser, read: Read): readonly Node[] => list(parser, ')', argument, read);

function argument(parser: Parser, read: Read): Node {
  if (at(parser, '...')) {
    refuse(parser, 'The arguments of a call do not spread');
    next(parser);
  }
  return read(parser);
}

export function array(parser: Parser, read: Read): Node {
  const { start } = parser;
  return done(parser, { kind: 'ArrayLit', elements: list(parser, ']', element, read) }, start);
}

const element = (parser: Parser, read: Read): Node | Spread =>
  at(parser, '...') ? spread(parser, read) : read(parser);

function spread(parser: Parser, read: Read): Spread {
  next(parser);
  return { spread: read(parser) };
}

export function object(parser: Parser, read: Read): Node {
  const { start } = parser;
  return done(parser, { kind: 'ObjectLit', props: list(parser, '}', entry, read) }, start);
}

const entry = (parser: Parser, read: Read): Property | Spread | undefined =>
  at(parser, '...') ? spread(parser, read) : property(parser, read);

function property(parser: Parser, read: Read): Property | undefined {
  const { token, start, pos, last } = parser;
  const key = propertyKey(parser);
  if (key === undefined) return undefined;
  if (accept(parser, ':')) return { key, value: read(parser) };
  if (at(parser, '(')) {
    unsupported(parser, start, pos, 'An object of an expression has no methods');
    read(parser);
    return undefined;
  }
  if (token !== 'name' || isReserved(key) || !(at(parser, ',') || at(parser, '}') || at(parser, 'end'))) {
    expected(parser, ':');
    return undefined;
  }
  Object.assign(parser, { token, start, pos, last, value: key, strength: 0 });
  return { key, value: read(parser) };
}

function propertyKey(parser: Parser): string | undefined {
  let key: string;
  if (at(parser, 'name') || at(parser, 'string')) key = parser.value;
  else if (at(parser, 'number')) key = String(parser.number);
  else if (at(parser, 'bigint')) key = String(BigInt(parser.value));
  else if (at(parser, '[')) {
    refuse(parser, 'A computed key is not part of the format');
    skipTo(parser, ']', '}', ',');
    accept(parser, ']');
    return '';
  } else {
    expected(parser, 'A key');
    return undefined;
  }
  if (key === '__proto__') {
    refuseName(parser);
    key = '';
  }
  next(parser);
  return key;
}

/** The template whose backquote is the token at hand. */
export function template(parser: Parser, read: Read): Node {
  const { start } = parser;
  const quasis: string[] = [];
  const exprs: Node[] = [];
  for (;;) {
    const open = quasi(parser, start);
    quasis.push(parser.value);
    if (!open) break;
    next(parser);
    if (exprs.length === parser.limits.items) reportLimit(parser, 'items', exprs.length + 1, parser.start, parser.pos);
    exprs.push(read(parser));
    if (!at(parser, '}')) {
      expected(parser, '}');
      skipToClose(parser, '{', '}');
      if (at(parser, 'end')) break;
    }
  }
  next(parser);
  return done(parser, { kind: 'Template', quasis, exprs }, start);
}

/** Reads on to the next expression (true) or to the end of the template; the text is in `value`. */
function quasi(parser: Parser, start: number): boolean {
  const { text } = parser;
  let value = '';
  let from = parser.pos;
  let pos = from;
  let open: boolean | undefined;
  while (open === undefined) {
    const code = pos < text.length ? text.charCodeAt(pos) : -1;
    if (code === 92) {
      value += text.slice(from, pos);
      const escape = readEscape(parser, pos);
      value += escape.value;
      from = pos = escape.end;
    } else if (code === 13) {
      value += `${text.slice(from, pos)}\n`;
      pos += text.charCodeAt(pos + 1) === 10 ? 2 : 1;
      from = pos;
    } else if (code === -1) {
      report(parser, 'text.unterminated', start, text.length, 'The template does not end');
      open = false;
    } else if (code === 96) open = false;
    else if (code === 36 && text.charCodeAt(pos + 1) === 123) open = true;
    else pos++;
  }
  value += text.slice(from, pos);
  if (value.length > parser.limits.stringLength) reportLimit(parser, 'stringLength', value.length, from, pos);
  parser.value = value;
  parser.pos = Math.min(text.length, pos + (open ? 2 : 1));
  return open;
}

/** The regular expression whose slash is the token at hand. */
export function regexp(parser: Parser): RegExp | undefined {
  const { text, start } = parser;
  let pos = start + 1;
  let inClass = false;
  for (; ; pos++) {
    const char = pos < text.length ? text[pos]! : '\n';
    if (/[\n\r\u2028\u2029]/.test(char)) {
      report(parser, 'text.unterminated', start, pos, 'The regular expression does not end');
      parser.pos = pos;
      next(parser);
      return undefined;
    }
    if (char === '\\' && pos + 1 < text.length) pos++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) break;
  }
  const source = text.slice(start + 1, pos);
  const end = nameEnd(text, pos + 1);
  parser.pos = end;
  const value = makeRegexp(parser, source, text.slice(pos + 1, end), start, end);
  next(parser);
  return value;
}

function makeRegexp(parser: Parser, source: string, flags: string, start: number, end: number): RegExp | undefined {
  if (source.length > parser.limits.regexpLength) {
    reportLimit(parser, 'regexpLength', source.length, start, end);
    return undefined;
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    report(parser, 'text.regexp', start, end, (error as Error).message);
    return undefined;
  }
}

const ZONED = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** `new Date("…")` and `new RegExp("…", "…")` over literals: how a constant is written that has no literal of its own. */
export function newValue(parser: Parser): Value {
  const { start } = parser;
  next(parser);
  const { value: type } = parser;
  const made = atWord(parser, 'Date') || atWord(parser, 'RegExp');
  const message = made
    ? `new ${type} stands over constant texts and numbers only`
    : `Only Date and RegExp are made with new, not ${describe(parser)}`;
  accept(parser, 'name');
  if (!made || !at(parser, '(') || !literalAhead(parser)) {
    unsupported(parser, start, parser.last, message);
    if (accept(parser, '(')) {
      skipToClose(parser, '(', ')');
      accept(parser, ')');
    }
    return undefined;
  }
  const [first, second, ...more] = list(parser, ')', constantItem, notRead);
  const end = parser.last;
  if (type === 'RegExp' && typeof first?.value === 'string' && more.length === 0) {
    const flags = second === undefined ? '' : second.value;
    if (typeof flags === 'string') return makeRegexp(parser, first.value, flags, start, end);
  } else if (type === 'Date' && first !== undefined && second === undefined) {
    const given = first.value;
    const date = new Date(typeof given === 'number' || (typeof given === 'string' && ZONED.test(given)) ? given : NaN);
    if (!Number.isNaN(date.getTime())) return date;
    report(parser, 'text.date', start, end, 'A date is a number, a day, or a day and a time with Z or an offset');
    return undefined;
  }
  unsupported(parser, start, end, message);
  return undefined;
}

/** Whether a text or a number is the first argument of the call whose parenthesis is at hand. */
const literalAhead = ({ text, pos }: Parser): boolean => /^\s*["'\d.-]/.test(text.slice(pos, pos + 100));

/** What follows `const`: a value itself and not nodes that make one. */
export function constantValue(parser: Parser): Value {
  if (!enter(parser)) return undefined;
  const value = readConstant(parser);
  leave(parser);
  return value;
}

/** Words that are values. */
export const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ...VALUE_GLOBALS,
]);

/** The text or number at hand. */
export function literal(parser: Parser): string | number | bigint {
  const { token, value: text, number } = parser;
  next(parser);
  if (token === 'string') return text;
  return token === 'number' ? number : BigInt(text);
}

function readConstant(parser: Parser): Value {
  const { token, value: word } = parser;
  switch (token) {
    case 'string':
    case 'number':
    case 'bigint':
      return literal(parser);
    case '-': {
      next(parser);
      const value = constantValue(parser);
      if (typeof value === 'number' || typeof value === 'bigint') return -value;
      expected(parser, 'A number');
      return undefined;
    }
    case '/':
    case '/=':
      return regexp(parser);
    case '[':
      return constantArray(parser);
    case '{':
      return constantObject(parser);
    case 'name':
      if (word === 'new') return newValue(parser);
      if (WORDS.has(word)) {
        next(parser);
        return WORDS.get(word);
      }
  }
  expected(parser, 'A constant');
  if (!at(parser, ')') && !at(parser, ']') && !at(parser, '}') && !at(parser, ',')) next(parser);
  return undefined;
}

/** Wrapped, as undefined is a value too. */
const constantItem = (parser: Parser): { readonly value: Value } => ({ value: constantValue(parser) });

/** No node is inside a constant. */
const notRead: Read = () => MISSING;

function constantArray(parser: Parser): Value {
  parser.nodes++;
  return list(parser, ']', constantItem, notRead).map(({ value }) => value);
}

function constantObject(parser: Parser): Value {
  parser.nodes++;
  return Object.fromEntries(list(parser, '}', constantEntry, notRead));
}

function constantEntry(parser: Parser): readonly [key: string, value: Value] | undefined {
  const key = propertyKey(parser);
  if (key === undefined) return undefined;
  take(parser, ':');
  return [key, constantValue(parser)];
}
