import type { Submission, SubmittedCase } from '@assay/contract';
import { isFlaky, runFigures } from '@assay/contract/outcome';

type Counts = Required<Pick<Submission, 'totalTests' | 'passedTests' | 'failedTests' | 'skippedTests'>>;

/** What a submission says of its cases in numbers. */
export const countCases = (cases: readonly SubmittedCase[]): Counts => {
  const { totalTests, passedTests, failedTests, skippedTests } = runFigures(cases);
  return { totalTests, passedTests, failedTests, skippedTests };
};

/** Those that passed only after a retry. */
export const countFlaky = (cases: readonly SubmittedCase[] | null | undefined): number =>
  (cases ?? []).filter(({ status, retries }) => isFlaky(status, retries ?? 0)).length;
