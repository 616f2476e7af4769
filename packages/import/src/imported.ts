import type { SubmittedCase } from '@assay/contract';
import { MAX_RESULTS_PER_RUN } from '@assay/contract/limits';
import type { FindAttached, ImportedAttachment } from './attached.ts';
import type { Source } from './source.ts';

/** Something about a file that a person should know. */
export interface Problem {
  readonly message: string;
  /** From 1. */
  readonly line: number | null;
}

/** A trace of a test, by itself or in a zip. */
export interface TraceFile {
  /** Among the cases, from 0. */
  readonly caseIndex: number;
  readonly path: string;
  /** Of a zip: the file in it that is the trace. */
  readonly entry?: { readonly name: string; readonly sizeBytes: number } | undefined;
}

/** What one file says. A file that breaks off gives what came before, and a problem that says where. */
export interface Imported {
  readonly cases: SubmittedCase[];
  readonly startTimeMs: number | null;
  readonly durationMs: number | null;
  /** What the run came to, where that is worse than its cases: `failed`, `timedout` or `interrupted`. */
  readonly status: string | null;
  readonly shard: { readonly index: number; readonly total: number } | null;
  /** Errors that belong to no test. */
  readonly errors: string[];
  readonly problems: Problem[];
  /** Which test its one case is a try of, where each try has a file of its own. */
  readonly tryOf?: { readonly key: string; readonly startMs: number };
  /** Of its cases, where the format knows of them and they are there. */
  readonly traces?: readonly TraceFile[];
  readonly attachments?: readonly ImportedAttachment[];
}

export interface ImportContext {
  /** The top folder of the repository: paths under it become relative to it. */
  readonly root: string;
  /** By default beside the report or in the repository. */
  readonly findAttached?: FindAttached;
}

export type Importer = (source: Source, context: ImportContext) => Promise<Imported>;

/** A report that no run can hold is not read to its end: it would fill the memory first. */
export const requireRoom = (results: number): void => {
  if (results > MAX_RESULTS_PER_RUN) throw new Error(`it has more than the ${MAX_RESULTS_PER_RUN} results of a run`);
};

export const problem = (message: string, line: number | null = null): Problem => ({ message, line });

/** What the runner says of the whole run counts where no test shows it, and a report that is broken is not whole. */
const statusOfReport = (runnerFailed: boolean, problems: readonly Problem[]): string | null =>
  runnerFailed ? 'failed' : problems.length > 0 ? 'interrupted' : null;

/** What a document says of its run beside the cases. */
interface Ending extends Pick<Imported, 'cases' | 'startTimeMs' | 'durationMs' | 'problems' | 'attachments'> {
  readonly errors?: string[];
  /** Whether the runner says that the run failed. */
  readonly runnerFailed?: boolean;
}

export const finishReport = ({ errors = [], runnerFailed = false, ...read }: Ending): Imported => ({
  ...read,
  errors,
  status: statusOfReport(runnerFailed, read.problems),
  shard: null,
});

export const nothingImported = (problems: Problem[]): Imported => ({
  cases: [],
  startTimeMs: null,
  durationMs: null,
  status: 'interrupted',
  shard: null,
  errors: [],
  problems,
});
