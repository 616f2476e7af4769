import { type Issue, Submission } from '@assay/contract';
import { Type } from 'typebox';
import { statusCodes } from '../../segments/status-code.ts';
import { createCheck } from '../../validation.ts';
import { type Parsing, type SliceSizes, readBody } from './read-body.ts';
import type { ReadCases } from './read-cases.ts';
import { type RunIdentity, readRunIdentity, runIdentityIssues } from './run-identity.ts';

/** A submission that may be stored, as far as it can be told without the database. */
export interface ParsedSubmission extends ReadCases, RunIdentity {
  readonly status: string;
  readonly durationMs: number | null;
  readonly totalTests: number;
  readonly passedTests: number;
  readonly failedTests: number;
  readonly skippedTests: number;
}

const checkHead = createCheck(Type.Omit(Submission, ['testCases']));

export function* parseSubmission(body: Uint8Array, sizes?: SliceSizes): Parsing<ParsedSubmission> {
  const { head, cases } = yield* readBody(body, submissionIssues, sizes);
  return joinSubmission(head, cases);
}

/** What is wrong with a submission, apart from its cases. */
export const submissionIssues = (head: unknown): readonly Issue[] => {
  const checked = checkHead(head);
  return checked.ok ? meaningIssues(checked.value) : checked.issues;
};

/** A head without issues and its cases. */
export const joinSubmission = (head: unknown, read: ReadCases): ParsedSubmission => {
  const submission = head as Submission;
  const { figures } = read;
  const given = countsOf(submission, read);
  return {
    ...read,
    ...readRunIdentity(submission),
    status: submission.status,
    durationMs: submission.duration ?? null,
    totalTests: given.totalTests ?? figures.totalTests,
    passedTests: given.passedTests ?? figures.passedTests,
    failedTests: given.failedTests ?? figures.failedTests,
    skippedTests: given.skippedTests ?? figures.skippedTests,
  };
};

type Counts = Pick<Submission, 'totalTests' | 'passedTests' | 'failedTests' | 'skippedTests'>;

/** The counts as they were sent, unless the sender counts attempts as tests, or leaves out what did not end by itself. */
const countsOf = (submission: Submission, { givenCases, results, figures }: ReadCases): Counts => {
  const { totalTests, failedTests } = submission;
  if (givenCases > results.rows && totalTests === givenCases) return {};
  const countsAll = (totalTests ?? results.rows) === results.rows;
  if (typeof failedTests !== 'number' || failedTests >= figures.failedTests || !countsAll) return submission;
  let failedOnly = 0;
  for (let row = 0; row < results.rows; row++) {
    if (results.columns.status[row] === statusCodes.failed) failedOnly++;
  }
  return failedTests === failedOnly ? { ...submission, failedTests: figures.failedTests } : submission;
};

/** What a schema cannot say of the fields beside the cases. */
const meaningIssues = (submission: Omit<Submission, 'testCases'>): Issue[] => [
  ...runIdentityIssues(submission),
  ...(submission.status.trim() === '' ? [{ path: '/status', message: 'must not be empty' }] : []),
];
