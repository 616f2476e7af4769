export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const WIDE_START = /^\p{ID_Start}$/u;
const WIDE_PART = /^[\p{ID_Continue}\u200c\u200d]$/u;

export const START = 1;
export const PART = 2;
export const DIGIT = 4;

/** What an ASCII character may be part of. */
export const CLASSES = new Uint8Array(128);
for (const code of CLASSES.keys()) {
  const char = String.fromCharCode(code);
  CLASSES[code] = isDigit(code) ? PART | DIGIT : /[\w$]/.test(char) ? START | PART : 0;
}

/** Where the name that starts at `pos` ends; `pos` itself where none starts. */
export function nameEnd(text: string, pos: number): number {
  let at = pos;
  let wanted = START;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code > 127) return at === pos && !startsWide(text, at) ? at : wideNameEnd(text, at);
    if ((CLASSES[code]! & wanted) === 0) break;
    at++;
    wanted = PART;
  }
  return at;
}

const startsWide = (text: string, pos: number): boolean =>
  WIDE_START.test(String.fromCodePoint(text.codePointAt(pos)!));

/** Where a name goes on to from a part of it that is not ASCII. */
export function wideNameEnd(text: string, pos: number): number {
  let at = pos;
  while (at < text.length) {
    const char = String.fromCodePoint(text.codePointAt(at)!);
    if (char !== '$' && !WIDE_PART.test(char)) break;
    at += char.length;
  }
  return at;
}
