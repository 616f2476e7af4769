import type { ErrorCode, Issue, ProjectChange, Report, RunFinish, SubmissionReply, UploadReply } from '@assay/contract';
import type { StoredBlob } from '../blobs/store.ts';
import type { TraceState } from '../db/tables.ts';
import type { AccountCommand, AccountReplies } from '../features/accounts/commands.ts';
import type { Actor } from '../features/audit/audit.ts';
import type { AddedFiles, FilesOfPart } from '../features/live/add-files.ts';
import type { AddedResults } from '../features/live/add-results.ts';
import type { FinishedRun } from '../features/live/finish-run.ts';
import type { TouchedPart } from '../features/live/open-part.ts';
import type { RunToStart, StartedRun } from '../features/live/start-run.ts';
import type { ClosedRun } from '../features/live/time-out-parts.ts';
import type { StoredPart } from '../features/parts/store-part.ts';
import type { TraceContents } from '../traces/read-trace.ts';

/** The body of a submission: handed over in memory, or left in a file when it is large. */
export type SubmittedBody = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly file: string };

/** A report whose files are in the store, held by whoever brought them. */
export interface UploadedReport {
  readonly type: string;
  readonly label: string;
  /** The path of the file that is opened first. */
  readonly entry: string;
  readonly files: readonly { readonly path: string; readonly blob: StoredBlob }[];
}

export interface UploadedTrace {
  readonly caseIndex: number;
  readonly blob: StoredBlob;
}

/** What the traces of one case say, and how reading each of them ended. */
export interface ReadTraces {
  readonly runId: number;
  readonly caseIndex: number;
  readonly contents: TraceContents;
  readonly traces: readonly { readonly id: number; readonly state: TraceState; readonly problem: string | null }[];
}

/** Everything that changes what is stored. */
export type Command =
  | AccountCommand
  | { readonly kind: 'submitRun'; readonly body: SubmittedBody; readonly idempotencyKey: string | null }
  | {
      readonly kind: 'uploadRun';
      readonly projectName: string;
      readonly testRun: SubmittedBody;
      readonly testCases: SubmittedBody | null;
      readonly reports: readonly UploadedReport[];
      readonly traces: readonly UploadedTrace[];
      readonly idempotencyKey: string | null;
    }
  | { readonly kind: 'startRun'; readonly start: RunToStart; readonly idempotencyKey: string | null }
  | { readonly kind: 'addResults'; readonly runId: number; readonly body: SubmittedBody }
  | { readonly kind: 'touchPart'; readonly runId: number; readonly partId: number }
  | ({ readonly kind: 'addFiles' } & FilesOfPart)
  | { readonly kind: 'finishRun'; readonly runId: number; readonly finish: RunFinish }
  | { readonly kind: 'timeOutParts'; readonly lastSeenBefore: number }
  | { readonly kind: 'finalizeRun'; readonly runId: number }
  | { readonly kind: 'addReport'; readonly runId: number; readonly report: UploadedReport }
  | { readonly kind: 'fillFromTraces'; readonly read: ReadTraces }
  | { readonly kind: 'beginJob'; readonly jobId: number }
  | { readonly kind: 'finishJob'; readonly jobId: number }
  | { readonly kind: 'failJob'; readonly jobId: number; readonly problem: string }
  | { readonly kind: 'releaseJob'; readonly jobId: number }
  | { readonly kind: 'deleteRun'; readonly runId: number; readonly actor: Actor }
  | { readonly kind: 'trimAudit'; readonly before: number }
  | { readonly kind: 'cleanUp'; readonly startedBefore: number; readonly actor: Actor }
  | { readonly kind: 'updateProject'; readonly projectId: number; readonly change: ProjectChange };

/** Those that bring results: all that wait share a commit. */
export type SubmitCommand = Extract<Command, { kind: 'submitRun' | 'uploadRun' | 'addResults' }>;
export type OtherCommand = Exclude<Command, SubmitCommand>;

export const isSubmission = (command: Command): command is SubmitCommand =>
  command.kind === 'submitRun' || command.kind === 'uploadRun' || command.kind === 'addResults';

/** The bodies that a command brings along. */
export const bodiesOf = (command: Command): SubmittedBody[] => {
  if (command.kind === 'submitRun' || command.kind === 'addResults') return [command.body];
  if (command.kind !== 'uploadRun') return [];
  return command.testCases ? [command.testRun, command.testCases] : [command.testRun];
};

export interface CommandReplies extends AccountReplies {
  submitRun: SubmissionReply & { readonly stored: Stored };
  uploadRun: UploadReply & { readonly stored: Stored };
  startRun: StartedRun;
  addResults: AddedResults;
  touchPart: TouchedPart;
  addFiles: AddedFiles;
  finishRun: FinishedRun;
  timeOutParts: readonly ClosedRun[];
  finalizeRun: void;
  addReport: AddedReport;
  fillFromTraces: FilledRun;
  /** Whether it is to be done. */
  beginJob: boolean;
  finishJob: void;
  failJob: void;
  releaseJob: void;
  deleteRun: RemovedRuns;
  trimAudit: number;
  cleanUp: RemovedRuns;
  updateProject: void;
}

/** What nobody outside needs to know of a run that was stored. */
export interface Stored {
  readonly resultCount: number;
  /** `repeated` when it was there before, so that nothing was stored. */
  readonly outcome: StoredPart['outcome'];
  /** Whether the run is left to be finalized. */
  readonly inParts: boolean;
  /** Contents of what it took the place of. */
  readonly orphans: readonly string[];
}

export interface FilledRun {
  /** Null when there was nothing left to fill. */
  readonly projectId: number | null;
}

export interface AddedReport {
  readonly projectId: number;
  readonly report: Report;
  /** Contents of the report whose place it took. */
  readonly orphans: readonly string[];
}

export interface RemovedRuns {
  readonly runs: number;
  /** The projects that lost some. */
  readonly projectIds: readonly number[];
  /** Given back by the database. */
  readonly freedBytes: number;
  /** Contents that no run has any more; whoever asked removes them from the store. */
  readonly orphans: readonly string[];
}

/** Work in steps: whoever runs it may do something else at each `yield`. */
export type SteppedWork<T> = AsyncGenerator<void, T>;

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
