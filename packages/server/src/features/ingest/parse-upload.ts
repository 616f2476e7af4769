import type { Issue } from '@assay/contract';
import { AppError } from '../../errors.ts';
import { parseJsonBody, refusal } from '../../validation.ts';
import type { CasePart } from '../files/store-files.ts';
import { type ParsedSubmission, joinSubmission, submissionIssues } from './parse-submission.ts';
import { type Parsing, readCasesArray } from './read-body.ts';

export interface UploadTexts {
  readonly projectName: string;
  readonly testRun: Uint8Array;
  readonly testCases: Uint8Array | null;
  /** The parts of the form that name cases. */
  readonly partsOfCases: readonly CasePart[];
}

/** What a run says beside its cases; its metadata has a limit of its own. */
const LARGEST_RUN_BYTES = 4 * 1024 * 1024;

/** The submission that the texts of a form make up; issues point at the fields of the form. */
export function* parseUpload({
  projectName,
  testRun,
  testCases,
  partsOfCases,
}: UploadTexts): Parsing<ParsedSubmission> {
  const run = parseRun(testRun);
  const head = { ...run, projectName };
  const issues = submissionIssues(head).map(inForm);
  const cases = yield* readCasesArray(testCases ?? NO_CASES, issues, '/testCases');
  const rows = cases.givenCases;
  const strays = new Set(partsOfCases.filter(({ caseIndex }) => caseIndex >= rows).map(({ name }) => name));
  if (strays.size === 0) return joinSubmission(head, cases);
  const message = `names no test case: there are ${rows}, counted from 0`;
  throw refusal(
    'invalid_body',
    [...strays].map((name) => ({ path: `/${name}`, message })),
  );
}

const NO_CASES = new TextEncoder().encode('[]');

const parseRun = (bytes: Uint8Array): object => {
  if (bytes.byteLength > LARGEST_RUN_BYTES) {
    throw refusal('invalid_body', [
      { path: '/testRun', message: `must not have more than ${LARGEST_RUN_BYTES} bytes` },
    ]);
  }
  const run = parseField(bytes);
  if (typeof run === 'object' && run !== null && !Array.isArray(run)) return run;
  throw refusal('invalid_body', [{ path: '/testRun', message: 'must be a JSON object' }]);
};

const parseField = (bytes: Uint8Array): unknown => {
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    throw error instanceof AppError && error.issues
      ? refusal(
          error.code,
          error.issues.map(({ path, message }) => ({ path: `/testRun${path}`, message })),
        )
      : error;
  }
};

/** All fields of the run but its project are in one field of the form. */
const inForm = ({ path, message }: Issue): Issue => ({
  path: /^\/projectName(?:\/|$)/.test(path) ? path : `/testRun${path}`,
  message,
});
