import type { Issue } from './issue.ts';
import { type Place, pointer } from './place.ts';

export type JsonText =
  | { readonly ok: true; readonly value: unknown; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly issue: Issue };

interface Open {
  readonly container: unknown[] | Record<string, unknown>;
  readonly place: Place | undefined;
  key: string;
  /** The key was there before: its value is dropped. */
  repeated: boolean;
}

class Fault extends Error {
  readonly code: string;
  readonly at: number;
  constructor(code: string, at: number, message: string) {
    super(message);
    this.code = code;
    this.at = at;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Reads JSON as RFC 8259 has it, of any depth without recursion. Duplicate keys are reported, the first one counts; a
 * `__proto__` becomes an ordinary own property; a lone surrogate is kept.
 */
export function readJson(text: string, maxIssues: number): JsonText {
  const issues: Issue[] = [];
  const stack: Open[] = [];
  let at = 0;

  const fail = (message: string, code = 'json.syntax', position = at): never => {
    throw new Fault(code, position, message);
  };

  function skipSpace(): number {
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return unit;
      at++;
    }
  }

  function readString(): string {
    let read = '';
    let start = ++at;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        read += text.slice(start, at++);
        return read;
      }
      if (unit === 0x5c) {
        read += text.slice(start, at) + readEscape();
        start = at;
      } else if (unit >= 0x20) {
        at++;
      } else {
        fail(at >= text.length ? 'The text ends inside a string.' : 'A control character must be escaped.');
      }
    }
  }

  function readEscape(): string {
    const letter = text.charAt(at + 1);
    if (letter === 'u') {
      HEX.lastIndex = at + 2;
      const digits = HEX.exec(text)?.[0] ?? fail('After \\u come four hexadecimal digits.');
      at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const escaped = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter]! : fail('This escape does not exist.');
    at += 2;
    return escaped;
  }

  function readScalar(unit: number): unknown {
    if (unit === 0x22) return readString();
    if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)?.[0] ?? fail('A number is not complete.');
      at += digits.length;
      return Number(digits);
    }
    for (const [word, value] of WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return value;
      }
    }
    return fail(at >= text.length ? 'The text ends where a value belongs.' : 'Here belongs a value.');
  }

  function readKey(open: Open): void {
    if (skipSpace() !== 0x22) fail('Here belongs a key in double quotes.');
    const start = at;
    open.key = readString();
    open.repeated = Object.hasOwn(open.container, open.key);
    if (open.repeated && issues.length < maxIssues) {
      issues.push({
        code: 'json.duplicateKey',
        path: pointer({ up: open.place, key: open.key }),
        span: { start, end: at },
        message: `The key ${JSON.stringify(open.key)} is there twice.`,
      });
    }
    if (skipSpace() !== 0x3a) fail('Here belongs a colon.');
    at++;
  }

  function store(value: unknown): void {
    const { container, key, repeated } = stack.at(-1)!;
    if (Array.isArray(container)) container.push(value);
    else if (repeated) return;
    else if (key !== '__proto__') container[key] = value;
    else Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
  }

  function open(unit: number): boolean {
    const up = stack.at(-1);
    const key = up && (Array.isArray(up.container) ? up.container.length : up.key);
    const place = up && { up: up.place, key: key! };
    const frame: Open = { container: unit === 0x5b ? [] : {}, place, key: '', repeated: false };
    at++;
    stack.push(frame);
    if (skipSpace() === unit + 2) return false;
    if (unit === 0x7b) readKey(frame);
    return true;
  }

  /** Closes what ends here; false when the next value of a container follows. */
  function close(value: unknown): { readonly value: unknown } | undefined {
    for (let done = value; ;) {
      const top = stack.at(-1);
      if (!top) return { value: done };
      store(done);
      if (moreFollows(top)) return undefined;
      done = top.container;
      stack.pop();
    }
  }

  function moreFollows(top: Open): boolean {
    const array = Array.isArray(top.container);
    const unit = skipSpace();
    if (unit === 0x2c) {
      at++;
      if (!array) readKey(top);
      return true;
    }
    if (unit !== (array ? 0x5d : 0x7d)) fail(at >= text.length ? 'The text ends too early.' : 'Here belongs a comma.');
    at++;
    return false;
  }

  try {
    if (text.charCodeAt(0) === 0xfeff) fail('The text begins with a byte order mark.', 'json.bom');
    for (;;) {
      const unit = skipSpace();
      let value: unknown;
      if (unit === 0x7b || unit === 0x5b) {
        if (open(unit)) continue;
        at++;
        value = stack.pop()!.container;
      } else value = readScalar(unit);
      const end = close(value);
      if (!end) continue;
      skipSpace();
      if (at < text.length) fail('Something follows the JSON value.', 'json.trailing');
      return { ok: true, value: end.value, issues };
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const span = { start: error.at, end: Math.min(error.at + 1, text.length) };
    return { ok: false, issue: { code: error.code, path: '', span, message: error.message } };
  }
}

/** The length of a text in UTF-8; a lone surrogate counts as three bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    const next = unit >= 0xd800 && unit < 0xdc00 ? text.charCodeAt(i + 1) : 0;
    if (next >= 0xdc00 && next < 0xe000) i++;
  }
  return bytes;
}
