import { durationOf, errorTextOf, isFields, timeOf } from './reading.ts';

export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly status: string | null;
  readonly duration: number | null;
  readonly startTime: string | null;
  readonly error: string | null;
  /** What it printed; null where nothing was sent. */
  readonly stdout: string | null;
  readonly stderr: string | null;
  /** The worker that ran it. */
  readonly worker: number | null;
  /** What is not understood; undefined when everything is. */
  readonly rest: unknown;
}

const LATEST = 8.64e15;

const NOTHING: Omit<Attempt, 'number' | 'rest'> = {
  status: null,
  duration: null,
  startTime: null,
  error: null,
  stdout: null,
  stderr: null,
  worker: null,
};

/** Attempts have no agreed shape; each is read as far as it can be. */
export const readAttempts = (attempts: readonly unknown[]): Attempt[] => attempts.map(readAttempt);

const readAttempt = (value: unknown, at: number): Attempt => {
  if (!isFields(value)) {
    return { ...NOTHING, number: at + 1, rest: value };
  }
  const { status, duration, startTime, error, errors, stdout, stderr, worker, retry, ...others } = value;
  const rest: Record<string, unknown> = others;
  const known = <T>(name: string, given: unknown, read: T | null): T | null => {
    if (read === null && given !== null && given !== undefined && given !== '') rest[name] = given;
    return read;
  };
  const time = timeOf(startTime);
  const isRetry = typeof retry === 'number' && Number.isInteger(retry) && retry >= 0;
  if (!isRetry && retry !== undefined && retry !== null) rest['retry'] = retry;
  return {
    number: isRetry ? retry + 1 : at + 1,
    status: known('status', status, typeof status === 'string' && status !== '' ? status : null),
    duration: known('duration', duration, durationOf(duration)),
    startTime: known(
      'startTime',
      startTime,
      time === null || Math.abs(time) > LATEST ? null : new Date(time).toISOString(),
    ),
    error: errorTextOf(error) ?? errorTextOf(errors),
    stdout: known('stdout', stdout, outputOf(stdout)),
    stderr: known('stderr', stderr, outputOf(stderr)),
    worker: known('worker', worker, typeof worker === 'number' ? worker : null),
    rest: Object.keys(rest).length > 0 ? rest : undefined,
  };
};

/** As a text, or as the pieces in which it was written. */
const outputOf = (value: unknown): string | null => {
  const text = Array.isArray(value) && value.every((piece) => typeof piece === 'string') ? value.join('') : value;
  return typeof text === 'string' && text !== '' ? text : null;
};
