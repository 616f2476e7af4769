import type { Issue } from '@assay/contract';
import { AppError } from '../../errors.ts';
import { parseJsonBody, refusal } from '../../validation.ts';
import { type ParsedSubmission, readSubmission, refuseTooManyValues } from './parse-submission.ts';

export interface UploadTexts {
  readonly projectName: string;
  readonly testRun: Uint8Array;
  readonly testCases: Uint8Array | null;
  /** The cases that have traces. */
  readonly tracedCases: readonly number[];
}

/** The submission that the texts of a form make up; issues point at the fields of the form. */
export const parseUpload = ({ projectName, testRun, testCases, tracedCases }: UploadTexts): ParsedSubmission => {
  const run = parseField('testRun', testRun);
  if (typeof run !== 'object' || run === null || Array.isArray(run)) {
    throw refusal('invalid_body', [{ path: '/testRun', message: 'must be a JSON object' }]);
  }
  const cases = testCases === null ? [] : parseField('testCases', testCases);
  const submission = inForm(() => readSubmission({ ...run, projectName, testCases: cases }));
  const { rows } = submission.results;
  const strays = [...new Set(tracedCases.filter((caseIndex) => caseIndex >= rows))];
  if (strays.length === 0) return submission;
  const message = `names no test case: there are ${rows}, counted from 0`;
  throw refusal(
    'invalid_body',
    strays.map((caseIndex) => ({ path: `/trace_${caseIndex}`, message })),
  );
};

const parseField = (name: string, bytes: Uint8Array): unknown => {
  try {
    refuseTooManyValues(bytes);
    return parseJsonBody(bytes);
  } catch (error) {
    throw relocate(error, (path) => `/${name}${path}`);
  }
};

const inForm = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw relocate(error, (path) => (/^\/(?:projectName|testCases)(?:\/|$)/.test(path) ? path : `/testRun${path}`));
  }
};

const relocate = (error: unknown, place: (path: string) => string): unknown =>
  error instanceof AppError && error.issues
    ? refusal(
        error.code,
        error.issues.map(({ path, message }): Issue => ({ path: place(path), message })),
      )
    : error;
