import type { SubmittedCase } from '@assay/contract';
import type { AttachmentToSend, TraceToSend } from './delivery.ts';

/** All tests of a run that has ended. */
export interface Collected {
  readonly testCases: SubmittedCase[];
  readonly traces: TraceToSend[];
  readonly attachments: AttachmentToSend[];
  /** Whether what was told case by case is still what they say. */
  readonly matchesStream: boolean;
}
