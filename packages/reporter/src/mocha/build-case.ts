import type { SubmittedCase } from '@assay/contract';
import { type Attempt, buildCase } from '@assay/import/case';
import type { MochaError, MochaRunnable } from './types.ts';

/** What the tries of a test were like before its last one. */
export interface Told {
  readonly earlier: readonly Attempt[];
  readonly startMs: number | null;
}

export const buildMochaCase = (
  runnable: MochaRunnable,
  last: Attempt,
  { earlier, startMs }: Told,
  root: string,
  annotations?: readonly { readonly type: string }[],
): SubmittedCase => {
  const built = buildCase(
    {
      titles: runnable.titlePath(),
      place: runnable.file === undefined ? undefined : { file: runnable.file },
      attempts: [...earlier, last],
      annotations,
    },
    root,
  );
  return startMs === null ? built : { ...built, startTime: new Date(startMs).toISOString() };
};

export const failedAttempt = ({ duration }: MochaRunnable, error: MochaError | undefined): Attempt => {
  const isTimeout = error?.code === 'ERR_MOCHA_TIMEOUT' || /^Timeout of \d+ms exceeded/.test(error?.message ?? '');
  return { status: isTimeout ? 'timedOut' : 'failed', durationMs: duration, error: errorText(error) };
};

/** Anything may be thrown. */
const errorText = (error: MochaError | undefined): string => {
  const { stack, message } = (error ?? {}) as { readonly stack?: unknown; readonly message?: unknown };
  const told = typeof message === 'string' ? message : (JSON.stringify(message ?? error) ?? 'Unknown error');
  if (typeof stack !== 'string' || stack === '') return told;
  return stack.includes(told) ? stack : `${told}\n\n${stack}`;
};

/** One test, also when it is tried again, which Mocha does with a copy. */
export const keyOf = (runnable: MochaRunnable): string => JSON.stringify([runnable.file, ...runnable.titlePath()]);
