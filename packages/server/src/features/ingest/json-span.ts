/*
 * Where things begin and end in JSON that is still bytes. These are right for valid JSON and end for any other, so that
 * whoever cuts by them lets a parser check the pieces.
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

export const NOT_FOUND = -1;

const SHORT_TEXT = 100;

const isSpace = (code: number | undefined): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

export const skipSpace = (bytes: Uint8Array, at: number): number => {
  while (isSpace(bytes[at])) at++;
  return at;
};

export const valueEnd = (bytes: Uint8Array, at: number): number => {
  switch (bytes[at]!) {
    case QUOTE:
      return stringEnd(bytes, at);
    case OPEN_BRACE:
    case OPEN_BRACKET:
      return nestedEnd(bytes, at);
    default:
      return scalarEnd(bytes, at);
  }
};

/**
 * Short texts are gone through by hand and long ones by the search of the platform, which is slow to call: after a
 * quote that was escaped it goes by hand again, or a text of nothing else would take seconds.
 */
const stringEnd = (bytes: Uint8Array, at: number): number => {
  let end = at + 1;
  while (end < bytes.length) {
    for (const byHand = Math.min(bytes.length, end + SHORT_TEXT); end < byHand; end++) {
      if (bytes[end] === QUOTE) return end + 1;
      if (bytes[end] === BACKSLASH) end++;
    }
    const quote = bytes.indexOf(QUOTE, end);
    if (quote === NOT_FOUND) break;
    let escapes = quote;
    while (escapes > end && bytes[escapes - 1] === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote + 1;
    end = quote + 1;
  }
  return bytes.length;
};

const nestedEnd = (bytes: Uint8Array, at: number): number => {
  let depth = 0;
  for (let end = at; end < bytes.length; end++) {
    switch (bytes[end]!) {
      case QUOTE:
        end = stringEnd(bytes, end) - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (--depth === 0) return end + 1;
    }
  }
  return bytes.length;
};

const scalarEnd = (bytes: Uint8Array, at: number): number => {
  let end = at;
  for (; end < bytes.length; end++) {
    const code = bytes[end]!;
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isSpace(code)) break;
  }
  return end;
};

/**
 * Where the value of a field begins, looked for from the brace or the comma before some field of the same object. A
 * name with escapes may be any name, and so is taken for this one.
 */
export const findField = (bytes: Buffer, from: number, name: string): number => {
  let at = from;
  while (bytes[at] === OPEN_BRACE || bytes[at] === COMMA) {
    const nameAt = skipSpace(bytes, at + 1);
    if (bytes[nameAt] !== QUOTE) return NOT_FOUND;
    const nameEnd = stringEnd(bytes, nameAt);
    const valueAt = skipSpace(bytes, skipSpace(bytes, nameEnd) + 1);
    const given = bytes.toString('latin1', nameAt + 1, nameEnd - 1);
    if (given === name || given.includes('\\')) return valueAt;
    at = skipSpace(bytes, valueEnd(bytes, valueAt));
  }
  return NOT_FOUND;
};
