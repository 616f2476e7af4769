import { ExpressionError, type Issue } from '../tree/issue.ts';
import { pointer } from '../tree/place.ts';

export type JsonText =
  | { readonly ok: true; readonly value: unknown; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly issue: Issue };

/** An array or object that is being read; as a place it is that of its present item. */
interface Open {
  readonly up: Open | undefined;
  readonly items: unknown[] | Record<string, unknown>;
  key: string | number;
  /** The key was there before: its value is dropped. */
  repeated: boolean;
}

/** A sign, a string, or what may be a number or a word; `JSON.parse` reads each of the latter by itself. */
const TOKEN = /[ \n\r\t]*([[\]{},:]|"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+|)/y;

/**
 * Reads JSON as RFC 8259 has it, of any depth without recursion. Duplicate keys are reported, the first one counts; a
 * `__proto__` becomes an ordinary own property; a lone surrogate is kept.
 */
export function readJson(text: string, maxIssues: number): JsonText {
  const issues: Issue[] = [];
  let open: Open | undefined;
  let end = 0;
  let token = '';

  function next(): string {
    TOKEN.lastIndex = end;
    token = TOKEN.exec(text)![1]!;
    end = TOKEN.lastIndex;
    return token;
  }

  function fail(code: string, message: string): never {
    const start = end - token.length;
    throw new ExpressionError(code, '', message, { start, end: Math.min(start + 1, text.length) });
  }

  function expected(what: string): never {
    const ends = end - token.length >= text.length;
    return fail('json.syntax', ends ? `The text ends where ${what} belongs.` : `Here belongs ${what}.`);
  }

  function scalar(): unknown {
    try {
      return JSON.parse(token);
    } catch {
      return expected('a JSON value');
    }
  }

  function readKey({ items }: Open): void {
    if (!token.startsWith('"')) expected('a key in double quotes');
    const key = scalar() as string;
    open!.key = key;
    open!.repeated = Object.hasOwn(items, key);
    if (open!.repeated && issues.length < maxIssues) {
      const span = { start: end - token.length, end };
      const message = `The key ${JSON.stringify(key)} is there twice.`;
      issues.push({ code: 'json.duplicateKey', path: pointer(open), span, message });
    }
    if (next() !== ':') expected('a colon');
    next();
  }

  /** The value that starts with the present token; undefined where it is an array or object that has items. */
  function readStart(): { readonly value: unknown } | undefined {
    if (token !== '{' && token !== '[') return { value: scalar() };
    const items = token === '{' ? {} : [];
    const close = token === '{' ? '}' : ']';
    if (next() === close) return { value: items };
    open = { up: open, items, key: 0, repeated: false };
    if (close === '}') readKey(open);
    return undefined;
  }

  function store({ items, key, repeated }: Open, value: unknown): void {
    if (repeated) return;
    if (key !== '__proto__') (items as Record<string | number, unknown>)[key] = value;
    else Object.defineProperty(items, key, { value, enumerable: true, configurable: true, writable: true });
  }

  /** Puts a value where it belongs and closes what ends behind it; false where another value follows. */
  function finish(read: { value: unknown }): boolean {
    while (open) {
      store(open, read.value);
      const array = Array.isArray(open.items);
      if (next() === ',') {
        next();
        if (array) (open.key as number)++;
        else readKey(open);
        return false;
      }
      if (token !== (array ? ']' : '}')) expected('a comma');
      read.value = open.items;
      open = open.up;
    }
    return true;
  }

  try {
    if (text.startsWith('\ufeff')) fail('json.bom', 'The text begins with a byte order mark.');
    next();
    for (;;) {
      const read = readStart();
      if (!read || !finish(read)) continue;
      if (next() !== '' || end < text.length) fail('json.trailing', 'Something follows the JSON value.');
      return { ok: true, value: read.value, issues };
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, path, span, message } = error;
    return { ok: false, issue: { code, path, span, message } };
  }
}

/** The length of a text in UTF-8; a lone surrogate counts as three bytes. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The colons outside the strings of a JSON text that has no backslash: one for each key. */
export function countColons(text: string): number {
  return text.replace(/"[^"]*"|[^:"]+/g, '').length;
}
