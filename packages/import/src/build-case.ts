import type { SubmittedCase, SubmittedStep } from '@assay/contract';
import { MAX_NAME_LENGTH, MAX_STATUS_LENGTH, MAX_TAGS, MAX_TITLE_LENGTH } from '@assay/contract/limits';
import type { OutputPiece } from './output.ts';
import { type Place, locationOf } from './places.ts';
import { durationOf } from './spans.ts';
import { MAX_ERROR, MAX_OUTPUT, copyOf, shorten, trimText } from './texts.ts';

export type CaseStatus = 'passed' | 'failed' | 'skipped' | 'timedOut' | 'interrupted';

export interface Attempt {
  readonly status: string;
  readonly durationMs?: number | null | undefined;
  readonly startTime?: string | undefined;
  readonly error?: string | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  /** Both in the order in which they were printed, where that is known. */
  readonly output?: readonly OutputPiece[] | undefined;
}

export type Attempts = readonly [...Attempt[], Attempt];

/** A case as a format tells it, before the limits of the interface. */
export interface CaseDraft {
  /** Of describes and the test itself; empty parts are left out. */
  readonly titles: readonly string[];
  readonly place?: Place | undefined;
  readonly browser?: string | undefined;
  /** All of them, the last one last. */
  readonly attempts: Attempts;
  /** Where it is not the status of the last attempt. */
  readonly status?: string | undefined;
  /** Where it is not the error of the last attempt. */
  readonly error?: string | undefined;
  /** Where it is not that of the attempts before the last. */
  readonly retries?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly annotations?: readonly { readonly type: string; readonly description?: string | undefined }[] | undefined;
  readonly steps?: readonly SubmittedStep[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export const buildCase = (draft: CaseDraft, root: string): SubmittedCase => {
  const { attempts, browser } = draft;
  const last = attempts[attempts.length - 1]!;
  const retries = draft.retries ?? attempts.length - 1;
  const title = draft.titles.map((part) => part.trim()).filter((part) => part !== '');
  const built: SubmittedCase = {
    title: shorten(title.join(' › ') || '(without a name)', MAX_TITLE_LENGTH),
    status: shorten(draft.status ?? last.status, MAX_STATUS_LENGTH),
    retries: Math.min(Math.max(0, Math.trunc(retries)), Number.MAX_SAFE_INTEGER),
  };
  const durationMs = durationOf(last.durationMs);
  if (durationMs !== null) built.duration = durationMs;
  const location = locationOf(draft.place, root);
  if (location !== null) built.location = copyOf(location);
  const error = draft.error ?? last.error;
  if (isFailure(built.status) && error !== undefined && error.trim() !== '') built.error = trimText(error, MAX_ERROR);
  if (browser) built.browser = shorten(browser, MAX_NAME_LENGTH);
  if (draft.tags?.length) built.tags = draft.tags.slice(0, MAX_TAGS).map((tag) => shorten(tag, MAX_NAME_LENGTH));
  if (draft.annotations?.length) built.annotations = draft.annotations.map(readAnnotation);
  if (draft.steps?.length) built.steps = [...draft.steps];
  if (attempts.length > 1 || outputOf(last).length > 0) built.attempts = attempts.map(writeAttempt);
  if (draft.metadata && Object.keys(draft.metadata).length > 0) built.metadata = draft.metadata;
  return built;
};

/** Tries of one test that a report lists apart, the last one last: it counts, and the others are its attempts. */
export const joinTries = (tries: readonly SubmittedCase[]): SubmittedCase => {
  const last = tries[tries.length - 1]!;
  if (tries.length === 1) return last;
  const attempts = tries.map(({ status, duration, error }, retry) => ({
    retry,
    status,
    duration: duration ?? null,
    ...(error === undefined ? {} : { error }),
  }));
  return { ...last, retries: tries.length - 1, attempts };
};

/** So is a status that nobody knows. */
export const isFailure = (status: string | undefined): boolean => status !== 'passed' && status !== 'skipped';

const readAnnotation = ({ type, description }: { type: string; description?: string | undefined }) =>
  description ? { type, description: trimText(description, MAX_OUTPUT) } : { type };

const writeAttempt = (attempt: Attempt, retry: number): unknown => {
  const { status, durationMs, startTime, error } = attempt;
  const output = outputOf(attempt);
  return {
    retry,
    status: shorten(status, MAX_STATUS_LENGTH),
    duration: durationOf(durationMs),
    ...(startTime === undefined ? {} : { startTime }),
    ...(error ? { error: trimText(error, MAX_ERROR) } : {}),
    ...(output.length > 0 ? { output } : {}),
  };
};

const outputOf = ({ stdout, stderr, output = [] }: Attempt): readonly OutputPiece[] => [
  ...output,
  ...(stdout ? [{ stream: 'stdout' as const, text: trimText(stdout, MAX_OUTPUT) }] : []),
  ...(stderr ? [{ stream: 'stderr' as const, text: trimText(stderr, MAX_OUTPUT) }] : []),
];
