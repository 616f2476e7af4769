import { templateAt } from './case-template.ts';
import { CLOSE_BRACKET, COMMA, NOT_FOUND, OPEN_BRACKET, skipSpace, valueEnd } from './json-span.ts';
import type { KnownCase, KnownCases } from './known-cases.ts';
import { isAmount } from './plain-case.ts';
import type { GrowingCases } from './read-cases.ts';
import { isPartAt } from './stored-parts.ts';

/*
 * Reads cases from the bytes of a submission and parses only those that are new. Parsing was half the cost of a
 * submission, while nearly all cases are written as in the run before but for their durations: for those it is enough
 * to compare bytes. Anything that is not as it should be ends the scan; the ordinary way then tells what it is.
 */

interface Source {
  /** Valid UTF-8. */
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly known: KnownCases;
  readonly cases: GrowingCases;
  met: number;
  parsed: number;
}

/** Parsing one by one is slow. With few known cases only so many are parsed, and as many learnt for the next time. */
const PARSED_AT_FIRST = 64;
const PARSED_FOR_EACH_MET = 4;

/** Reads the array of cases that begins here; tells where it ends, or NOT_FOUND when it is not an array of cases. */
export const scanCases = (bytes: Buffer, start: number, known: KnownCases, cases: GrowingCases): number => {
  if (bytes[start] !== OPEN_BRACKET) return NOT_FOUND;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const source: Source = { bytes, view, known, cases, met: 0, parsed: 0 };
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    const before = known.last;
    const expected = before?.next;
    let end = expected ? addIfKnown(source, at, expected) : NOT_FOUND;
    if (end === NOT_FOUND) {
      end = addOther(source, at);
      if (before && before !== known.last) before.next = known.last;
    }
    at = end === NOT_FOUND ? bytes.length : skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) return NOT_FOUND;
    at = skipSpace(bytes, at + 1);
  }
};

/** Adds a case that was not expected here, or is new. */
const addOther = (source: Source, at: number): number => {
  const { bytes, known, cases } = source;
  const template = templateAt(bytes, at);
  const found = template && known.find(template);
  if (found && addIfKnown(source, at, found) !== NOT_FOUND) return template.end;
  if (++source.parsed > PARSED_AT_FIRST + PARSED_FOR_EACH_MET * source.met) return NOT_FOUND;
  const end = template?.end ?? valueEnd(bytes, at);
  const read = cases.addGiven(JSON.parse(bytes.toString('utf8', at, end)));
  if (read === null) return NOT_FOUND;
  if (template) known.learn(bytes, template, read);
  return end;
};

/** Adds a case if it is written like a known one; tells where it ends. */
const addIfKnown = (source: Source, at: number, candidate: KnownCase): number => {
  const end = matchCase(source, at, candidate);
  if (end === NOT_FOUND) return NOT_FOUND;
  source.met++;
  source.known.last = candidate;
  source.cases.add(candidate.plain);
  return end;
};

const matchCase = ({ bytes, view }: Source, start: number, { parts, holes, plain }: KnownCase): number => {
  let at = start;
  for (let n = 0; ; n++) {
    const part = parts[n]!;
    if (!isPartAt(bytes, view, at, part)) return NOT_FOUND;
    at += part.byteLength;
    if (n === holes.length) return at;
    const end = valueEnd(bytes, at);
    switch (holes[n]!) {
      case 'duration': {
        const value = parseAmount(bytes, at, end);
        if (value !== null && !isAmount(value)) return NOT_FOUND;
        plain.durationMs = value;
        break;
      }
      case 'retries': {
        const value = parseAmount(bytes, at, end) ?? 0;
        if (!isAmount(value) || !Number.isInteger(value)) return NOT_FOUND;
        plain.retries = value;
        break;
      }
      case 'error': {
        const value: unknown = JSON.parse(bytes.toString('utf8', at, end));
        if (value !== null && typeof value !== 'string') return NOT_FOUND;
        plain.error = value;
        break;
      }
      case 'unheard':
        JSON.parse(bytes.toString('utf8', at, end));
    }
    at = end;
  }
};

const ZERO = 0x30;
const NINE = 0x39;
const EXACT_DIGITS = 15;

/** Digits are added up, as most amounts are nothing else; the rest is left to the parser. */
const parseAmount = (bytes: Buffer, at: number, end: number): unknown => {
  const parse = (): unknown => JSON.parse(bytes.toString('utf8', at, end));
  if (end - at > EXACT_DIGITS || end === at || (bytes[at] === ZERO && end - at > 1)) return parse();
  let value = 0;
  for (let digit = at; digit < end; digit++) {
    const code = bytes[digit]!;
    if (code < ZERO || code > NINE) return parse();
    value = value * 10 + (code - ZERO);
  }
  return value;
};
