import { isUtf8 } from 'node:buffer';
import { type Issue, MAX_RESULTS_PER_RUN, Submission } from '@assay/contract';
import { Type } from 'typebox';
import { MAX_ISSUES, createCheck, parseJsonBody, refusal } from '../../validation.ts';
import { NOT_FOUND, findField, skipSpace } from './json-span.ts';
import type { KnownCases } from './known-cases.ts';
import { type ReadCases, caseIssues, readCases, startCases } from './read-cases.ts';
import { type RunIdentity, fieldsOf, readRunIdentity, runIdentityIssues } from './run-identity.ts';
import { scanCases } from './scan-cases.ts';

/** A submission that may be stored, as far as it can be told without the database. */
export interface ParsedSubmission extends ReadCases, RunIdentity {
  readonly status: string;
  readonly durationMs: number | null;
  readonly totalTests: number;
  readonly passedTests: number;
  readonly failedTests: number;
  readonly skippedTests: number;
}

/** Beyond this many values a body costs many times its size in memory, and is no test run. */
const MAX_JSON_VALUES = 8_000_000;
const LARGE_BODY_BYTES = 8 * 1024 * 1024;
const BYTES_OF_A_CASE = 200;
const MOST_EXPECTED_CASES = 4_096;

const checkHead = createCheck(Type.Omit(Submission, ['testCases']));

export const parseSubmission = (body: Uint8Array, known: KnownCases): ParsedSubmission => {
  refuseTooManyValues(body);
  return present(scanBody(body, known) ?? checkShape(parseJsonBody(body)));
};

/** A submission that was parsed elsewhere. */
export const readSubmission = (json: unknown): ParsedSubmission => present(checkShape(json));

const present = ({ submission, read }: ReadSubmission): ParsedSubmission => {
  const { figures } = read;
  return {
    ...read,
    ...readRunIdentity(submission),
    status: submission.status,
    durationMs: submission.duration ?? null,
    totalTests: submission.totalTests ?? figures.totalTests,
    passedTests: submission.passedTests ?? figures.passedTests,
    failedTests: submission.failedTests ?? figures.failedTests,
    skippedTests: submission.skippedTests ?? figures.skippedTests,
  };
};

export const refuseTooManyValues = (body: Uint8Array): void => {
  if (body.byteLength > LARGE_BODY_BYTES && countValues(body) > MAX_JSON_VALUES) {
    throw refusal('invalid_body', [{ path: '', message: `must not have more than ${MAX_JSON_VALUES} values` }]);
  }
};

/** An upper bound: a comma or a bracket inside a string counts too. */
const countValues = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  return count;
};

interface ReadSubmission {
  readonly submission: Submission;
  readonly read: ReadCases;
}

/** Scans the cases and parses the rest; null when anything at all is not as it should be. */
const scanBody = (body: Uint8Array, known: KnownCases): ReadSubmission | null => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(bytes)) return null;
  try {
    const start = findField(bytes, skipSpace(bytes, 0), 'testCases');
    if (start === NOT_FOUND) return null;
    const cases = startCases(Math.min(MOST_EXPECTED_CASES, Math.ceil(bytes.length / BYTES_OF_A_CASE)));
    const end = scanCases(bytes, start, known, cases);
    if (end === NOT_FOUND || findField(bytes, skipSpace(bytes, end), 'testCases') !== NOT_FOUND) return null;
    const head = checkHead(
      JSON.parse(`${bytes.toString('utf8', 0, start)}[]${bytes.toString('utf8', end, bytes.length)}`),
    );
    const read = cases.finish();
    if (!head.ok || meaningIssues(head.value).length > 0 || read.results.rows > MAX_RESULTS_PER_RUN) return null;
    return Array.isArray(fieldsOf(head.value)['testCases']) ? { submission: head.value, read } : null;
  } catch {
    // Whatever it was, the ordinary way meets it again and tells it well.
    return null;
  }
};

/** Head and cases are checked apart: cases are read in the same pass, and of many only those at fault are looked into. */
const checkShape = (json: unknown): ReadSubmission => {
  const head = checkHead(json);
  const headIssues = head.ok ? meaningIssues(head.value) : head.issues;
  const read = readGivenCases(fieldsOf(json)['testCases'] ?? [], headIssues);
  return { submission: json as Submission, read };
};

/** Reads cases that came with a head that may have issues of its own; all are told together. */
export const readGivenCases = (given: unknown, headIssues: readonly Issue[]): ReadCases => {
  if (!Array.isArray(given)) {
    throw refusal('invalid_body', [...headIssues, { path: '/testCases', message: 'must be array' }]);
  }
  if (given.length > MAX_RESULTS_PER_RUN) {
    const message = `must not have more than ${MAX_RESULTS_PER_RUN} items`;
    throw refusal('invalid_body', [...headIssues, { path: '/testCases', message }]);
  }
  try {
    const read = readCases(given);
    if (headIssues.length === 0 && read) return read;
    throw refusal('invalid_body', [...headIssues, ...(read ? [] : caseIssues(given))].slice(0, MAX_ISSUES));
  } catch (error) {
    // The compiled check recurses into steps; steps this deep end the stack.
    if (!(error instanceof RangeError)) throw error;
    throw refusal('invalid_body', [{ path: '/testCases', message: 'must not be nested so deeply' }]);
  }
};

/** What a schema cannot say of the fields beside the cases. */
const meaningIssues = (submission: Omit<Submission, 'testCases'>): Issue[] => [
  ...runIdentityIssues(submission),
  ...(submission.status.trim() === '' ? [{ path: '/status', message: 'must not be empty' }] : []),
];
