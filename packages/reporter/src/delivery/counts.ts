import type { Submission, SubmittedCase } from '@assay/contract';

type Counts = Required<Pick<Submission, 'totalTests' | 'passedTests' | 'failedTests' | 'skippedTests'>>;

/** What a submission says of its cases in numbers. */
export const countCases = (cases: readonly SubmittedCase[]): Counts => {
  const count = (...statuses: string[]): number => cases.filter(({ status }) => statuses.includes(status)).length;
  return {
    totalTests: cases.length,
    passedTests: count('passed'),
    failedTests: count('failed', 'timedOut', 'interrupted'),
    skippedTests: count('skipped'),
  };
};

/** Those that passed only after a retry. */
export const countFlaky = (cases: readonly SubmittedCase[] | null | undefined): number =>
  (cases ?? []).filter(({ status, retries }) => status === 'passed' && (retries ?? 0) > 0).length;
