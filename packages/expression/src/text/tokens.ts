import { CLASSES, DIGIT, isDigit, nameEnd, PART, START, wideNameEnd } from './name-end.ts';
import { scanNumber } from './numbers.ts';
import { report, type Source } from './source.ts';
import * as strength from './strength.ts';
import { scanString } from './strings.ts';

interface Punctuator {
  readonly word: string;
  readonly strength: number;
}

/** By first character; the longest comes first. */
const PUNCTUATORS: (readonly Punctuator[] | undefined)[] = [];
/** Those that no longer one starts with. */
const ONLY: (Punctuator | undefined)[] = [];
for (const [binding, words] of [
  [0, '( ) [ ] { } , ; : ? ?. . ... => = += -= *= /= %= **= &&= ||= ??= &= |= ^= <<= >>= >>>= ++ -- ! ~ @ @@ # `'],
  [strength.COALESCE, '?? ||'],
  [strength.AND, '&&'],
  [strength.BIT_OR, '|'],
  [strength.BIT_XOR, '^'],
  [strength.BIT_AND, '&'],
  [strength.EQUALITY, '=== !== == !='],
  [strength.RELATION, '< <= > >='],
  [strength.SHIFT, '<< >> >>>'],
  [strength.SUM, '+ -'],
  [strength.PRODUCT, '* / %'],
  [strength.POWER, '**'],
] as const) {
  // Keys of an object are compared by identity, parts of a split text character by character.
  for (const word of Object.keys(Object.fromEntries(words.split(' ').map((one) => [one, true])))) {
    const code = word.charCodeAt(0);
    const known = [...(PUNCTUATORS[code] ?? []), { word, strength: binding }].sort(
      (a, b) => b.word.length - a.word.length,
    );
    PUNCTUATORS[code] = known;
    ONLY[code] = known.length === 1 && word.length === 1 ? known[0] : undefined;
  }
}

/** Behind white space and comments. */
export function skipSpace(source: Source, from: number): number {
  const { text } = source;
  let pos = from;
  while (pos < text.length) {
    const code = text.charCodeAt(pos);
    if (code === 32 || (code >= 9 && code <= 13)) pos++;
    else if (code === 47) {
      const after = text.charCodeAt(pos + 1);
      if (after === 47) {
        pos += 2;
        while (pos < text.length && !isLineEnd(text.charCodeAt(pos))) pos++;
      } else if (after === 42) {
        const end = text.indexOf('*/', pos + 2);
        if (end < 0) report(source, 'text.unterminated', pos, text.length, 'The comment does not end');
        pos = end < 0 ? text.length : end + 2;
      } else break;
    } else if (code > 127 && isWideSpace(code)) pos++;
    else break;
  }
  return pos;
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

const isWideSpace = (code: number): boolean => /^\s$/.test(String.fromCharCode(code));

// What a module imports is looked up at each use, which the innermost loop would feel.
const KINDS = CLASSES;
const NAME_START = START;
const NAME_PART = PART;
const NUMBER_START = DIGIT;

/** Moves on to the next token. A slash is a punctuator: where a value may stand, the parser reads a regular expression. */
export function next(source: Source): void {
  const { text } = source;
  let pos = source.pos;
  source.last = pos;
  let code = pos < text.length ? text.charCodeAt(pos) : 0;
  if (code === 32) code = ++pos < text.length ? text.charCodeAt(pos) : 0;
  if (code <= 32 || code === 47 || code > 127) {
    pos = skipSpace(source, pos);
    code = pos < text.length ? text.charCodeAt(pos) : 0;
  }
  source.start = pos;
  source.strength = 0;
  const kind = code < 128 ? KINDS[code]! : 0;
  if ((kind & NAME_START) !== 0 || code > 127) {
    let end = pos;
    while (end < text.length) {
      const part = text.charCodeAt(end);
      if (part > 127) end = end === pos ? nameEnd(text, pos) : wideNameEnd(text, end);
      if (part > 127 || (KINDS[part]! & NAME_PART) === 0) break;
      end++;
    }
    if (end > pos) {
      source.token = 'name';
      source.value = text.slice(pos, end);
      source.pos = end;
      return;
    }
  } else if ((kind & NUMBER_START) !== 0 || (code === 46 && isDigit(text.charCodeAt(pos + 1)))) {
    return scanNumber(source, pos);
  } else if (code === 34 || code === 39) {
    return scanString(source, pos, code);
  } else if (pos >= text.length) {
    source.token = 'end';
    source.pos = text.length;
    return;
  }
  scanPunctuator(source, pos, code);
}

function scanPunctuator(source: Source, pos: number, code: number): void {
  const { text } = source;
  const punctuator = code < 128 ? (ONLY[code] ?? findPunctuator(text, pos, PUNCTUATORS[code])) : undefined;
  if (punctuator === undefined) {
    source.token = 'unknown';
    source.pos = pos + String.fromCodePoint(text.codePointAt(pos)!).length;
  } else {
    source.token = punctuator.word;
    source.strength = punctuator.strength;
    source.pos = pos + punctuator.word.length;
  }
}

function findPunctuator(text: string, pos: number, known: readonly Punctuator[] = []): Punctuator | undefined {
  const second = pos + 1 < text.length ? text.charCodeAt(pos + 1) : 0;
  for (let i = 0; i < known.length; i++) {
    const { word } = known[i]!;
    if (word.length === 1) return known[i];
    if (word.charCodeAt(1) !== second) continue;
    if (matches(text, pos, word) && !(word === '?.' && isDigit(text.charCodeAt(pos + 2)))) return known[i];
  }
  return undefined;
}

function matches(text: string, pos: number, word: string): boolean {
  if (pos + word.length > text.length) return false;
  for (let i = 2; i < word.length; i++) if (text.charCodeAt(pos + i) !== word.charCodeAt(i)) return false;
  return true;
}
