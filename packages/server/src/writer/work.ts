import type { CleanupReply, ErrorCode, Issue, ProjectChange, SubmissionReply } from '@assay/contract';

/** The body of a submission: handed over in memory, or left in a file when it is large. */
export type SubmittedBody = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly file: string };

/** Everything that changes what is stored. */
export type Command =
  | { readonly kind: 'submitRun'; readonly body: SubmittedBody; readonly idempotencyKey: string | null }
  | { readonly kind: 'deleteRun'; readonly runId: number }
  | { readonly kind: 'cleanUp'; readonly startedBefore: number }
  | { readonly kind: 'updateProject'; readonly projectId: number; readonly change: ProjectChange };

export interface CommandReplies {
  submitRun: SubmissionReply & { readonly resultCount: number };
  deleteRun: { success: true };
  cleanUp: CleanupReply;
  updateProject: { success: true };
}

/** Work in steps: whoever runs it may do something else at each `yield`. */
export type LongWork<T> = AsyncGenerator<void, T>;

export type ToWriter = { readonly id: number; readonly command: Command } | { readonly close: true };

export type FromWriter =
  /** The memory of a body, to be used again. */
  | { readonly returned: ArrayBuffer }
  | { readonly ready: true }
  | { readonly id: number; readonly value: CommandReplies[Command['kind']] }
  | {
      readonly id: number;
      readonly refused: { code: ErrorCode; message: string; issues: readonly Issue[] | undefined };
    }
  | { readonly id: number; readonly fault: Error };
