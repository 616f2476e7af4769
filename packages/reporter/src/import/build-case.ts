import type { SubmittedCase, SubmittedStep } from '@assay/contract';
import { type Place, locationOf } from './places.ts';
import { durationOf } from './spans.ts';

export type CaseStatus = 'passed' | 'failed' | 'skipped' | 'timedOut' | 'interrupted';

export interface Attempt {
  readonly status: string;
  readonly durationMs?: number | null | undefined;
  readonly startTime?: string | undefined;
  readonly error?: string | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
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

const MAX_TITLE = 1_000;
const MAX_NAME = 200;
const MAX_TAGS = 1_000;
const MAX_STATUS = 40;
export const MAX_ERROR = 64 * 1024;
export const MAX_OUTPUT = 16 * 1024;

export const buildCase = (draft: CaseDraft, root: string): SubmittedCase => {
  const { attempts, browser } = draft;
  const last = attempts[attempts.length - 1]!;
  const retries = draft.retries ?? attempts.length - 1;
  const title = draft.titles.map((part) => part.trim()).filter((part) => part !== '');
  const built: SubmittedCase = {
    title: shorten(title.join(' › ') || '(without a name)', MAX_TITLE),
    status: shorten(draft.status ?? last.status, MAX_STATUS),
    retries: Math.min(Math.max(0, Math.trunc(retries)), Number.MAX_SAFE_INTEGER),
  };
  const durationMs = durationOf(last.durationMs);
  if (durationMs !== null) built.duration = durationMs;
  const location = locationOf(draft.place, root);
  if (location !== null) built.location = copyOf(location);
  const error = draft.error ?? last.error;
  const isFailure = built.status !== 'passed' && built.status !== 'skipped';
  if (isFailure && error !== undefined && error.trim() !== '') built.error = trimText(error, MAX_ERROR);
  if (browser) built.browser = shorten(browser, MAX_NAME);
  if (draft.tags?.length) built.tags = draft.tags.slice(0, MAX_TAGS).map((tag) => shorten(tag, MAX_NAME));
  if (draft.annotations?.length) built.annotations = draft.annotations.map(readAnnotation);
  if (draft.steps?.length) built.steps = [...draft.steps];
  if (attempts.length > 1 || last.stdout || last.stderr) built.attempts = attempts.map(writeAttempt);
  if (draft.metadata && Object.keys(draft.metadata).length > 0) built.metadata = draft.metadata;
  return built;
};

const readAnnotation = ({ type, description }: { type: string; description?: string | undefined }) =>
  description ? { type, description: trimText(description, MAX_OUTPUT) } : { type };

const writeAttempt = ({ status, durationMs, startTime, error, stdout, stderr }: Attempt, retry: number): unknown => ({
  retry,
  status: shorten(status, MAX_STATUS),
  duration: durationOf(durationMs),
  ...(startTime === undefined ? {} : { startTime }),
  ...(error ? { error: trimText(error, MAX_ERROR) } : {}),
  ...(stdout ? { stdout: trimText(stdout, MAX_OUTPUT) } : {}),
  ...(stderr ? { stderr: trimText(stderr, MAX_OUTPUT) } : {}),
});

/** A part of a text keeps all of it in memory, and with it the file; a copy does not. */
const copyOf = (text: string): string => Buffer.from(text).toString();

export const shorten = (text: string, length: number): string =>
  copyOf(text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Keeps the beginning and the end, and says how much is missing between them. */
export const trimText = (text: string, length: number): string => {
  if (text.length <= length) return copyOf(text);
  const half = Math.floor((length - 60) / 2);
  const missing = text.length - 2 * half;
  return copyOf(`${text.slice(0, half)}\n… ${missing} characters left out …\n${text.slice(-half)}`);
};

/** Text that comes in pieces, of which only so much is kept as `trimText` would show. */
export interface GrowingText {
  add(text: string): void;
  text(): string;
}

export const growText = (length: number): GrowingText => {
  const half = Math.floor((length - 60) / 2);
  let start = '';
  let end = '';
  let total = 0;
  return {
    add(text) {
      total += text.length;
      const room = half - start.length;
      if (room > 0) start += text.slice(0, room);
      const rest = room > 0 ? text.slice(room) : text;
      if (rest === '') return;
      end += rest;
      // Copied only when it has doubled, so that many small pieces stay cheap.
      if (end.length > 2 * half) end = end.slice(-half);
    },
    text() {
      const kept = end.length > half ? end.slice(-half) : end;
      const missing = total - start.length - kept.length;
      return missing > 0 ? `${start}\n… ${missing} characters left out …\n${kept}` : start + kept;
    },
  };
};
