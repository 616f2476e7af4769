/*
 * Finds where values begin and end in JSON bytes. The spans are correct for valid JSON and terminate for anything else,
 * so a parser must still check each piece.
 */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const NOT_FOUND = -1;

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

export const skipByteOrderMark = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** An upper bound of the values in some JSON: a comma or a bracket inside a string counts too. */
export const countValues = (bytes: Uint8Array, start: number, end: number): number => {
  let count = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) count++;
  }
  return count;
};
