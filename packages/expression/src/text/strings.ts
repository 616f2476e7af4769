import { report, reportLimit, type Source } from './source.ts';

const BACKSLASH = 92;
const MOST_HEX_DIGITS = 20;

/** Reads the quoted string at `pos` as token `string`; it ends at its quote, or at the end of the line where that lacks. */
export function scanString(source: Source, pos: number, quote: number): void {
  const { text } = source;
  let end = pos + 1;
  let value = '';
  let from = end;
  for (; ; end++) {
    const code = end < text.length ? text.charCodeAt(end) : 10;
    if (code === quote) break;
    if (code === 10 || code === 13) {
      report(source, 'text.unterminated', pos, end, 'The string does not end');
      break;
    }
    if (code === BACKSLASH) {
      value += text.slice(from, end);
      const escape = readEscape(source, end);
      value += escape.value;
      from = escape.end;
      end = escape.end - 1;
    }
  }
  value = value === '' ? text.slice(from, end) : value + text.slice(from, end);
  source.token = 'string';
  source.start = pos;
  source.pos = Math.min(text.length, end + (text.charCodeAt(end) === quote ? 1 : 0));
  source.value = value;
  if (value.length > source.limits.stringLength) {
    reportLimit(source, 'stringLength', value.length, pos, source.pos);
  }
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' };
const HEX = /^[\da-fA-F]+$/;

interface Escape {
  readonly value: string;
  readonly end: number;
}

/** The escape whose backslash is at `pos`, of a string or a template. */
export function readEscape(source: Source, pos: number): Escape {
  const { text } = source;
  if (pos + 1 >= text.length) return { value: '', end: pos + 1 };
  const char = text[pos + 1]!;
  if (char === 'x') return readHex(source, pos, text.slice(pos + 2, pos + 4), 2, pos + 4);
  if (char === 'u') {
    if (text[pos + 2] !== '{') return readHex(source, pos, text.slice(pos + 2, pos + 6), 4, pos + 6);
    const length = text.slice(pos + 3, pos + 3 + MOST_HEX_DIGITS).indexOf('}');
    const digits = text.slice(pos + 3, pos + 3 + Math.max(0, length));
    return readHex(source, pos, digits, digits.length, pos + 4 + length);
  }
  if (char >= '0' && char <= '9') {
    const after = text.charCodeAt(pos + 2);
    if (char === '0' && !(after >= 48 && after <= 57)) return { value: '\0', end: pos + 2 };
    report(source, 'text.escape', pos, pos + 2, 'An octal escape is not allowed: write \\x and two hexadecimal digits');
    return { value: '', end: pos + 2 };
  }
  if (char === '\r') return { value: '', end: pos + (text[pos + 2] === '\n' ? 3 : 2) };
  if (char === '\n' || char === '\u2028' || char === '\u2029') return { value: '', end: pos + 2 };
  return { value: SIMPLE[char] ?? char, end: pos + 2 };
}

function readHex(source: Source, pos: number, digits: string, count: number, end: number): Escape {
  const point = HEX.test(digits) && digits.length === count ? Number.parseInt(digits, 16) : -1;
  if (point >= 0 && point <= 0x10_ff_ff) return { value: String.fromCodePoint(point), end };
  report(source, 'text.escape', pos, pos + 2, 'The escape lacks its hexadecimal digits, or they name no character');
  return { value: '', end: pos + 2 };
}

const asEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** As a literal in double quotes. What a reader of the text would not see is escaped. */
export const quote = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, asEscape);

/** As the text of a template between its expressions. */
export const quoteQuasi = (text: string): string =>
  quote(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replace(/`|\$(?=\{)/g, String.raw`\$&`);

/** Whether a text needs no escapes but for quotes and backslashes. */
export const isAllSeen = (text: string): boolean => quote(text).replace(/\\(["\\])/g, '$1') === `"${text}"`;
