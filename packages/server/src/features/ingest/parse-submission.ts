import { type Issue, MAX_RESULTS_PER_RUN, Submission, parseTime, projectNameIssue } from '@assay/contract';
import { Type } from 'typebox';
import { MAX_ISSUES, createCheck, parseJsonBody, refusal } from '../../validation.ts';
import { depthIssue } from './json-depth.ts';
import { type ReadCases, caseIssues, readCases } from './read-cases.ts';

/** A submission that may be stored, as far as it can be told without the database. */
export interface ParsedSubmission extends ReadCases {
  readonly projectName: string;
  readonly status: string;
  readonly startTime: number;
  readonly durationMs: number | null;
  readonly totalTests: number;
  readonly passedTests: number;
  readonly failedTests: number;
  readonly skippedTests: number;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly metadataJson: string | null;
  readonly runKey: string | null;
}

/** Beyond this many values a body costs many times its size in memory, and is no test run. */
const MAX_JSON_VALUES = 8_000_000;
const LARGE_BODY_BYTES = 8 * 1024 * 1024;
const LONGEST_SCM_TEXT = 1_000;

const checkHead = createCheck(Type.Omit(Submission, ['testCases']));

export const parseSubmission = (body: Uint8Array): ParsedSubmission => {
  const { submission, read } = checkShape(parseJson(body));
  const { figures } = read;
  const metadata = submission.metadata ?? null;
  return {
    ...read,
    ...scmOf(submission),
    projectName: projectNameOf(submission),
    status: submission.status,
    startTime: parseTime(submission.startTime)!,
    durationMs: submission.duration ?? null,
    totalTests: submission.totalTests ?? figures.totalTests,
    passedTests: submission.passedTests ?? figures.passedTests,
    failedTests: submission.failedTests ?? figures.failedTests,
    skippedTests: submission.skippedTests ?? figures.skippedTests,
    metadataJson: metadata === null ? null : JSON.stringify(metadata),
    runKey: submission.runKey ?? null,
  };
};

const parseJson = (body: Uint8Array): unknown => {
  if (body.byteLength > LARGE_BODY_BYTES && countValues(body) > MAX_JSON_VALUES) {
    throw refusal('invalid_body', [{ path: '', message: `must not have more than ${MAX_JSON_VALUES} values` }]);
  }
  return parseJsonBody(body);
};

/** An upper bound: a comma or a bracket inside a string counts too. */
const countValues = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  return count;
};

/** Head and cases are checked apart: cases are read in the same pass, and of many only those at fault are looked into. */
const checkShape = (json: unknown): { submission: Submission; read: ReadCases } => {
  const head = checkHead(json);
  const headIssues = head.ok ? meaningIssues(head.value) : head.issues;
  const given = fieldsOf(json)['testCases'] ?? [];
  if (!Array.isArray(given)) {
    throw refusal('invalid_body', [...headIssues, { path: '/testCases', message: 'must be array' }]);
  }
  if (given.length > MAX_RESULTS_PER_RUN) {
    const message = `must not have more than ${MAX_RESULTS_PER_RUN} items`;
    throw refusal('invalid_body', [...headIssues, { path: '/testCases', message }]);
  }
  try {
    const read = readCases(given);
    if (headIssues.length === 0 && read) return { submission: json as Submission, read };
    throw refusal('invalid_body', [...headIssues, ...(read ? [] : caseIssues(given))].slice(0, MAX_ISSUES));
  } catch (error) {
    // The compiled check recurses into steps; steps this deep end the stack.
    if (!(error instanceof RangeError)) throw error;
    throw refusal('invalid_body', [{ path: '/testCases', message: 'must not be nested so deeply' }]);
  }
};

/** What a schema cannot say of the fields beside the cases. */
const meaningIssues = (submission: Omit<Submission, 'testCases'>): Issue[] => {
  const issues: Issue[] = [];
  const nameIssue = projectNameIssue(projectNameOf(submission));
  if (nameIssue) issues.push({ path: '/projectName', message: nameIssue });
  if (parseTime(submission.startTime) === null)
    issues.push({ path: '/startTime', message: 'must be an ISO 8601 time' });
  if (submission.status.trim() === '') issues.push({ path: '/status', message: 'must not be empty' });
  const tooDeep = depthIssue('/metadata', submission.metadata);
  if (tooDeep) issues.push(tooDeep);
  return issues;
};

const projectNameOf = ({ projectName }: Pick<Submission, 'projectName'>): string => projectName.trim().toWellFormed();

/** Branch and commit where reporters put them: beside the status, or in the metadata. */
const scmOf = ({ branch, commit, metadata }: Submission): { branch: string | null; commit: string | null } => {
  const fields = fieldsOf(metadata);
  const places = [{ branch, commit }, fieldsOf(fields['scm']), fieldsOf(fields['git']), fields];
  const find = (name: 'branch' | 'commit'): string | null => {
    for (const place of places) {
      const value = place[name];
      if (typeof value === 'string' && value !== '') return value.slice(0, LONGEST_SCM_TEXT).toWellFormed();
    }
    return null;
  };
  return { branch: find('branch'), commit: find('commit') };
};

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
