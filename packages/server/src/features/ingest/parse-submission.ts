import { type Issue, Submission } from '@assay/contract';
import { Type } from 'typebox';
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

/** What a schema cannot say of the fields beside the cases. */
const meaningIssues = (submission: Omit<Submission, 'testCases'>): Issue[] => [
  ...runIdentityIssues(submission),
  ...(submission.status.trim() === '' ? [{ path: '/status', message: 'must not be empty' }] : []),
];
