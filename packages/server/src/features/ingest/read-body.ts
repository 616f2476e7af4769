import { isUtf8 } from 'node:buffer';
import { type Issue, MAX_RESULTS_PER_RUN } from '@assay/contract';
import { fieldsOf } from '../../scm.ts';
import { MAX_ISSUES, parseJsonBody, refusal } from '../../validation.ts';
import {
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  countValues,
  skipByteOrderMark,
  skipSpace,
  valueEnd,
} from './json-span.ts';
import { type ReadCases, caseIssues, startCases } from './read-cases.ts';

/*
 * Reads bodies with test cases. A large body is parsed one slice of its cases at a time: each slice becomes garbage before
 * the next is parsed, and the writer thread can do other work in between.
 */

export type Parsing<T> = Generator<void, T>;

export interface ReadBody {
  /** All of it but the test cases. */
  readonly head: unknown;
  readonly cases: ReadCases;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface SlicedArray extends Span {
  readonly slices: readonly Span[];
}

export interface SliceSizes {
  /** A body of this size is parsed as a whole: telling its cases apart first would cost more than it saves. */
  readonly wholeBytes: number;
  readonly sliceBytes: number;
}

const SIZES: SliceSizes = { wholeBytes: 1024 * 1024, sliceBytes: 256 * 1024 };
/** What is parsed at once takes many times its size in memory when it is nothing but brackets. */
const MAX_VALUES_AT_ONCE = 1_000_000;
const FIRST_ROWS = 4_096;

/** Reads an object with a field `testCases`; reports issues of the head and of the cases together. */
export function* readBody(
  body: Uint8Array,
  issuesOfHead: (head: unknown) => readonly Issue[],
  sizes = SIZES,
  joinsAttempts = true,
): Parsing<ReadBody> {
  const bytes = checkText(body, '');
  if (bytes.length <= sizes.wholeBytes) {
    const json = parseJsonBody(bytes);
    return { head: json, cases: readGivenCases(fieldsOf(json)['testCases'] ?? [], issuesOfHead(json), joinsAttempts) };
  }
  const array = yield* findCases(bytes, sizes);
  const head = array ? parseHead(bytes, array) : parsePiece(bytes, { start: 0, end: bytes.length }, '');
  if (array && !Array.isArray(fieldsOf(head)['testCases'])) throw sentTwice();
  const issues = issuesOfHead(head);
  return {
    head,
    cases: array
      ? yield* readSlices(bytes, array.slices, issues, '', joinsAttempts)
      : readGivenCases(fieldsOf(head)['testCases'] ?? [], issues, joinsAttempts),
  };
}

/** Reads an array of test cases; `path` is where issues place it. */
export function* readCasesArray(text: Uint8Array, headIssues: readonly Issue[], path: string): Parsing<ReadCases> {
  const bytes = checkText(text, path);
  const start = skipSpace(bytes, skipByteOrderMark(bytes));
  if (bytes.length <= SIZES.wholeBytes || bytes[start] !== OPEN_BRACKET) {
    return readGivenCases(parsePiece(bytes, { start: 0, end: bytes.length }, path), headIssues);
  }
  const { end, slices } = yield* sliceArray(bytes, start, path, SIZES);
  if (skipSpace(bytes, end) !== bytes.length) throw notJson(path, 'something follows the array');
  return yield* readSlices(bytes, slices, headIssues, path);
}

const checkText = (body: Uint8Array, path: string): Buffer => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length === 0) throw refusal('invalid_body', [{ path, message: 'must not be empty' }]);
  if (!isUtf8(bytes)) throw refusal('invalid_body', [{ path, message: 'must be UTF-8' }]);
  return bytes;
};

/** The head has an empty array in the place of the cases. */
const parseHead = (bytes: Buffer, { start, end }: Span): unknown => {
  refuseTooManyValues(countValues(bytes, 0, start) + countValues(bytes, end, bytes.length), '');
  return parseText(`${bytes.toString('utf8', skipByteOrderMark(bytes), start)}[]${bytes.toString('utf8', end)}`, '');
};

function* findCases(bytes: Buffer, sizes: SliceSizes): Parsing<SlicedArray | null> {
  let cases: SlicedArray | null = null;
  let at = skipSpace(bytes, skipByteOrderMark(bytes));
  if (bytes[at] !== OPEN_BRACE) return null;
  do {
    const nameAt = skipSpace(bytes, at + 1);
    if (bytes[nameAt] !== QUOTE) break;
    const nameEnd = valueEnd(bytes, nameAt);
    const colonAt = skipSpace(bytes, nameEnd);
    if (bytes[colonAt] !== COLON) break;
    const start = skipSpace(bytes, colonAt + 1);
    let end: number;
    if (bytes[start] === OPEN_BRACKET && isNamedTestCases(bytes, nameAt, nameEnd)) {
      if (cases) throw sentTwice();
      cases = yield* sliceArray(bytes, start, '', sizes);
      ({ end } = cases);
    } else end = valueEnd(bytes, start);
    at = skipSpace(bytes, end);
  } while (bytes[at] === COMMA);
  return cases;
}

/** Parsed as a whole, the last of two fields with one name counts. */
const sentTwice = () => refusal('invalid_body', [{ path: '/testCases', message: 'must be sent only once' }]);

/** `\u0074estCases` is the same name. */
const isNamedTestCases = (bytes: Buffer, start: number, end: number): boolean => {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) === 'testCases';
  } catch {
    return false;
  }
};

function* readSlices(
  bytes: Buffer,
  slices: readonly Span[],
  headIssues: readonly Issue[],
  path: string,
  joinsAttempts = true,
): Parsing<ReadCases> {
  const cases = startCases(FIRST_ROWS, joinsAttempts);
  let rows = 0;
  for (const slice of slices) {
    const given = parsePiece(bytes, slice, path, ['[', ']']) as unknown[];
    if (rows + given.length > MAX_RESULTS_PER_RUN) throw tooManyCases(headIssues);
    const before = rows;
    for (const one of given) if (addOrNull(cases, one) !== null) rows++;
    if (rows < before + given.length) refuse(headIssues, caseIssues(given, before));
    yield;
  }
  if (headIssues.length > 0) refuse(headIssues, []);
  return cases.finish();
}

/**
 * Where the cases of each slice begin and end. That each slice is JSON, within brackets, is left to the parser; the
 * array is JSON exactly when all of them are.
 */
function* sliceArray(bytes: Buffer, start: number, path: string, { sliceBytes }: SliceSizes): Parsing<SlicedArray> {
  const slices: Span[] = [];
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACKET) return { start, end: at + 1, slices };
  for (let from = at; ;) {
    if (bytes[at] === CLOSE_BRACKET) throw notJson(path, 'a test case is missing after a comma');
    const end = valueEnd(bytes, at);
    at = skipSpace(bytes, end);
    const isLast = bytes[at] !== COMMA;
    if (isLast && bytes[at] !== CLOSE_BRACKET) throw notJson(path, 'the array of test cases has no end');
    if (isLast || end - from >= sliceBytes) {
      slices.push({ start: from, end });
      if (isLast) return { start, end: at + 1, slices };
      from = skipSpace(bytes, at + 1);
      yield;
    }
    at = skipSpace(bytes, at + 1);
  }
}

const NO_WRAPPING = ['', ''] as const;

const parsePiece = (
  bytes: Buffer,
  { start, end }: Span,
  path: string,
  [before, after]: readonly [string, string] = NO_WRAPPING,
): unknown => {
  if (end - start > MAX_VALUES_AT_ONCE) refuseTooManyValues(countValues(bytes, start, end), path);
  const from = start === 0 ? skipByteOrderMark(bytes) : start;
  return parseText(before + bytes.toString('utf8', from, end) + after, path);
};

const parseText = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(path, (error as Error).message);
  }
};

const notJson = (path: string, reason: string) =>
  refusal('invalid_body', [{ path, message: `must be JSON: ${reason}` }]);

const refuseTooManyValues = (values: number, path: string): void => {
  if (values <= MAX_VALUES_AT_ONCE) return;
  const message = `must not have more than ${MAX_VALUES_AT_ONCE} values in one test case, or beside the test cases`;
  throw refusal('invalid_body', [{ path, message }]);
};

/** Reads cases that are parsed, with a head that may have issues of its own. */
const readGivenCases = (given: unknown, headIssues: readonly Issue[], joinsAttempts = true): ReadCases => {
  if (!Array.isArray(given)) {
    throw refusal('invalid_body', [...headIssues, { path: '/testCases', message: 'must be array' }]);
  }
  if (given.length > MAX_RESULTS_PER_RUN) throw tooManyCases(headIssues);
  const cases = startCases(given.length, joinsAttempts);
  const areValid = given.every((one) => addOrNull(cases, one) !== null);
  if (!areValid || headIssues.length > 0) refuse(headIssues, areValid ? [] : caseIssues(given, 0));
  return cases.finish();
};

const addOrNull = (cases: ReturnType<typeof startCases>, given: unknown) => {
  try {
    return cases.addGiven(given);
  } catch (error) {
    // The compiled check recurses into steps; steps this deep end the stack.
    if (!(error instanceof RangeError)) throw error;
    throw refusal('invalid_body', [{ path: '/testCases', message: 'must not be nested so deeply' }]);
  }
};

const refuse = (headIssues: readonly Issue[], ofCases: readonly Issue[]): never => {
  throw refusal('invalid_body', [...headIssues, ...ofCases].slice(0, MAX_ISSUES));
};

const tooManyCases = (headIssues: readonly Issue[]) =>
  refusal('invalid_body', [
    ...headIssues,
    { path: '/testCases', message: `must not have more than ${MAX_RESULTS_PER_RUN} items` },
  ]);
