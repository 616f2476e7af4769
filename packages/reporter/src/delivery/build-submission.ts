import type { Submission, SubmittedCase } from '@assay/contract';
import { countCases } from './counts.ts';
import { addMetadata } from './metadata.ts';

/** What is known of a run when it begins. */
export type Beginning = Omit<Submission, 'status' | 'testCases'>;

export interface Ending {
  readonly status: string;
  readonly durationMs: number;
  readonly testCases: SubmittedCase[];
  /** Outside of all tests, such as in a file that cannot be loaded. */
  readonly errors: readonly (string | null)[];
}

export const buildSubmission = (
  beginning: Beginning,
  { status, durationMs, testCases, errors }: Ending,
): Submission => ({
  ...beginning,
  status,
  duration: Math.max(0, Math.round(durationMs)),
  ...countCases(testCases),
  metadata: errors.length === 0 ? beginning.metadata : addMetadata({ ...(beginning.metadata as object) }, { errors }),
  testCases,
});
