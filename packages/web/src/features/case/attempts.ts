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
  /** The same in the order in which it was printed; empty where that was not sent. */
  readonly output: readonly Printed[];
  /** Attachments that the sender left out. */
  readonly leftOut: readonly LeftOut[];
  /** The worker that ran it. */
  readonly worker: number | null;
  /** Its place among the workers of one time. */
  readonly parallel: number | null;
  /** What is not understood; undefined when everything is. */
  readonly rest: unknown;
}

/** A piece of the output; a note is the sender's own, such as of what was cut. */
export interface Printed {
  readonly stream: 'stdout' | 'stderr' | 'note';
  readonly text: string;
}

export interface LeftOut {
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number | null;
  readonly why: string | null;
}

const LATEST = 8.64e15;

const NOTHING: Omit<Attempt, 'number' | 'rest'> = {
  status: null,
  duration: null,
  startTime: null,
  error: null,
  stdout: null,
  stderr: null,
  output: [],
  leftOut: [],
  worker: null,
  parallel: null,
};

/** Attempts have no agreed shape; each is read as far as it can be. */
export const readAttempts = (attempts: readonly unknown[]): Attempt[] => attempts.map(readAttempt);

const readAttempt = (value: unknown, at: number): Attempt => {
  if (!isFields(value)) {
    return { ...NOTHING, number: at + 1, rest: value };
  }
  const {
    status,
    duration,
    startTime,
    error,
    errors,
    stdout,
    stderr,
    output,
    leftOut,
    worker,
    parallel,
    retry,
    ...others
  } = value;
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
    output: known('output', output, listOf(output, readPrinted)) ?? [],
    leftOut: known('leftOut', leftOut, listOf(leftOut, readLeftOut)) ?? [],
    worker: known('worker', worker, typeof worker === 'number' ? worker : null),
    parallel: known('parallel', parallel, typeof parallel === 'number' ? parallel : null),
    rest: Object.keys(rest).length > 0 ? rest : undefined,
  };
};

/** As a text, or as the pieces in which it was written. */
const outputOf = (value: unknown): string | null => {
  const text = Array.isArray(value) && value.every((piece) => typeof piece === 'string') ? value.join('') : value;
  return typeof text === 'string' && text !== '' ? text : null;
};

/** A list of which every entry is understood; null for anything else. */
const listOf = <T>(value: unknown, read: (entry: unknown) => T | null): T[] | null => {
  if (!Array.isArray(value)) return null;
  const entries = value.map(read);
  return entries.every((entry) => entry !== null) ? entries : null;
};

const STREAMS = ['stdout', 'stderr', 'note'] as const;

const readPrinted = (value: unknown): Printed | null => {
  if (!isFields(value) || typeof value['text'] !== 'string') return null;
  const stream = STREAMS.find((name) => name === value['stream']);
  return stream ? { stream, text: value['text'] } : null;
};

const readLeftOut = (value: unknown): LeftOut | null => {
  if (!isFields(value) || typeof value['name'] !== 'string') return null;
  return {
    name: value['name'],
    contentType: textOf(value['contentType']),
    size: sizeOf(value['size']),
    why: textOf(value['why']),
  };
};

const sizeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** How many they are; the last may stand for more of them, as `7 more`. */
export const countLeftOut = (leftOut: readonly LeftOut[]): number => {
  const more = /^(\d+) more$/.exec(leftOut.at(-1)?.name ?? '')?.[1];
  return leftOut.length + (more === undefined ? 0 : Number(more) - 1);
};

/** Pieces of one stream that follow each other, as one; what is empty is left out. */
export const joinPrinted = (output: readonly Printed[]): Printed[] => {
  const joined: Printed[] = [];
  for (const { stream, text } of output) {
    if (text === '') continue;
    const last = joined.at(-1);
    if (last?.stream === stream) joined.splice(-1, 1, { stream, text: last.text + text });
    else joined.push({ stream, text });
  }
  return joined;
};
