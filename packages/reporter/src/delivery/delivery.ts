import type { Submission } from '@assay/contract';
import type { AttachmentFile } from '@assay/import/attachments';
import type { FileToSend } from './file-to-send.ts';

export interface ReportToSend extends FileToSend {
  /** Such as `html`, `monocart`, `blob`: 1 to 40 of `a-z`, `0-9`, `_` and `-`. */
  readonly type: string;
  readonly label?: string;
}

export interface TraceToSend extends FileToSend {
  /** Of a case in `submission.testCases`, from 0. */
  readonly caseIndex: number;
}

/** `path` of what is in memory is its name. */
export type AttachmentToSend = AttachmentFile & FileToSend;

/** One run, or one shard of it, with the files that belong to it. */
export interface Delivery {
  readonly submission: Submission;
  /** The same for all tries to send this, also for those from the spool. */
  readonly idempotencyKey: string;
  readonly reports: readonly ReportToSend[];
  readonly traces: readonly TraceToSend[];
  readonly attachments: readonly AttachmentToSend[];
  /**
   * Where the batches end that were sent of it while it happened, in numbers of cases; null when they are no longer what
   * its cases say.
   */
  readonly batchEnds?: readonly number[] | null;
}

export type Outcome =
  | { readonly kind: 'sent'; readonly runId: number; readonly projectId: number; readonly url: string }
  /** The service took it and shows the results of another sender with the same run key and shard instead. */
  | { readonly kind: 'superseded'; readonly why: string; readonly url: string }
  /** In the spool: the next run or `assay flush` sends it. */
  | { readonly kind: 'kept'; readonly why: string; readonly folder: string; readonly mayPass: boolean }
  /** Neither sent nor kept. */
  | { readonly kind: 'lost'; readonly why: string };
