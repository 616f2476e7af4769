import {
  type CaseDetails,
  type ConsoleMessage,
  type SubmittedRequest,
  type SubmittedStep,
  isStaticResource,
  maskValues,
  normaliseRoute,
  withoutAnsi,
} from '@assay/contract';
import { type During, chooseAttempt, timeOf } from './attempt.ts';

/** Something that happened while a test ran. */
export interface Moment {
  readonly kind: 'step' | 'request' | 'console';
  /** The same in every execution, whatever its numbers and ids are. */
  readonly key: string;
  /** Of a request its status, of a step whether it failed. */
  readonly outcome: string;
  readonly text: string;
  /** After the start of the attempt; of what tells no time, the moment before it. */
  readonly atMs: number;
  readonly isTimed: boolean;
  readonly durationMs: number | null;
  /** Of a step that failed. */
  readonly error: string | null;
  /** An error by itself, whatever passing executions have. */
  readonly isBad: boolean;
  /** Of a step that waits for something to become true. */
  readonly isExpectation: boolean;
  /** Of a step with others in it: these tell more. */
  readonly isOuter: boolean;
  /** Of a step that failed because one in it did. */
  readonly isOuterFailure: boolean;
}

/** One attempt of a test, as far as its result tells what happened. */
export interface Execution {
  readonly attempt: number | null;
  readonly moments: readonly Moment[];
  readonly tells: { readonly steps: boolean; readonly requests: boolean; readonly console: boolean };
  /** By name: what it ran with. */
  readonly versions: ReadonlyMap<string, string>;
  readonly environment: string | null;
}

interface Told {
  readonly status: string;
  readonly details: CaseDetails;
  /** A trace tells that there were no requests or messages; without one nobody knows. */
  readonly hasTrace: boolean;
  readonly versions: ReadonlyMap<string, string>;
  readonly environment: string | null;
}

/** Of a kind; of more than that nothing is compared. */
const MOST_MOMENTS = 3_000;
const LONGEST_TEXT = 500;
const LONGEST_KEY = 1_000;
const NO_ANSWER = 'no answer';

export type Mask = (text: string) => string;

const MOST_REMEMBERED = 20_000;

/** Executions of one test have mostly the same texts. */
export const createMask = (): Mask => {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const masked = maskValues(text);
    if (known.size < MOST_REMEMBERED) known.set(text, masked);
    return masked;
  };
};

/** The last attempt that failed; of a result that passed at once, the only one. */
export function* readExecution(
  { status, details, hasTrace, versions, environment }: Told,
  mask: Mask,
): Generator<undefined, Execution> {
  const { attempt, isLast, from, during } = chooseAttempt(status, details);
  // Steps are told of the last attempt alone.
  const steps = yield* stepMoments(isLast ? details.steps : [], from, mask);
  const requests = during(details.networkRequests);
  const messages = during(details.console);
  const worthComparing = (requests ?? []).filter(({ of }) => isWorthComparing(of));
  const moments = [
    steps,
    yield* momentsOf(worthComparing.slice(0, MOST_MOMENTS), (request) => requestMoment(request, mask)),
    yield* momentsOf((messages ?? []).slice(0, MOST_MOMENTS), (message) => messageMoment(message, mask)),
  ];
  const tells = (list: readonly unknown[] | null): boolean =>
    list !== null && list.length <= MOST_MOMENTS && (list.length > 0 || (hasTrace && isLast));
  return {
    attempt,
    moments: moments.flat(),
    tells: {
      steps: steps.length > 0 && steps.length <= MOST_MOMENTS,
      requests: tells(requests) && worthComparing.length <= MOST_MOMENTS,
      console: tells(messages),
    },
    versions,
    environment,
  };
}

type Happened = Pick<Moment, 'kind' | 'key' | 'outcome' | 'text' | 'isBad'> & { readonly durationMs?: number | null };

const PLAIN = { durationMs: null, error: null, isExpectation: false, isOuter: false, isOuterFailure: false };

/** Each is at the time of the one before it where it tells none. */
function* momentsOf<T>(list: readonly During<T>[], read: (each: T) => Happened): Generator<undefined, Moment[]> {
  const moments: Moment[] = [];
  let before = 0;
  for (const { of, atMs, isTimed } of list) {
    before = atMs ?? before;
    moments.push({ ...PLAIN, ...read(of), atMs: before, isTimed });
    yield;
  }
  return moments;
}

/** What a build names anew each time says nothing when it was loaded. */
const isWorthComparing = ({ resourceType, url, status }: SubmittedRequest): boolean =>
  !isStaticResource(resourceType, url) || !status || status >= 400;

const requestMoment = ({ method, url, status, duration }: SubmittedRequest, mask: Mask): Happened => {
  const address = URL.parse(url);
  // Services under test often listen on a port of their own each time.
  const host = address === null || isThisMachine(address.hostname) ? '' : address.hostname;
  return {
    kind: 'request',
    // Dates and parts of file names vary too.
    key: `${method.toUpperCase()} ${host}${mask(cut(normaliseRoute(url)))}`,
    outcome: !status ? NO_ANSWER : status === 304 ? '200' : String(status),
    text: `${method.toUpperCase()} ${cut(host + (address?.pathname ?? url))}`,
    durationMs: duration ?? null,
    isBad: !status || status >= 400,
  };
};

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '0.0.0.0' || host === '[::1]' || host.startsWith('127.');

const messageMoment = ({ type, text }: ConsoleMessage, mask: Mask): Happened => {
  const shown = cut(withoutAnsi(text));
  return { kind: 'console', key: mask(shown), outcome: '', text: shown, isBad: type === 'error' };
};

/** What sets up and cleans up around a test differs with the worker that it runs on. */
const AROUND = new Set(['fixture', 'test.attach']);
const AFTERWARDS = /^(?:after hooks|worker cleanup)$/i;

/** At most one more than are compared. */
function* stepMoments(given: readonly SubmittedStep[], from: number, mask: Mask): Generator<undefined, Moment[]> {
  const moments: Moment[] = [];
  let before = 0;
  function* add(steps: readonly SubmittedStep[], path: string, isAround: boolean): Generator<undefined, void> {
    for (const step of steps) {
      if (moments.length > MOST_MOMENTS) return;
      yield;
      const { title, category, duration = null, steps: inner = [] } = step;
      const isFailed = step.error !== undefined && step.error !== null;
      const isLeftOut = isAround || AROUND.has(category ?? '') || AFTERWARDS.test(title);
      const isOuterFailure = isFailed && inner!.some(hasFailed);
      const key = `${path} › ${mask(cut(title))}`.slice(-LONGEST_KEY);
      const at = timeOf(step.startTime);
      before = at === null ? before : at - from;
      if ((!isLeftOut && category !== 'hook') || (isFailed && !isOuterFailure)) {
        moments.push({
          kind: 'step',
          key,
          outcome: isFailed ? 'failed' : 'passed',
          text: cut(title),
          atMs: before,
          isTimed: at !== null,
          durationMs: duration,
          error: isFailed ? cut(firstLine(step.error)) : null,
          isBad: isFailed,
          isExpectation: category === 'expect',
          isOuter: inner!.length > 0,
          isOuterFailure,
        });
      }
      yield* add(inner!, key, isLeftOut);
    }
  }
  yield* add(given, '', false);
  return moments;
}

const hasFailed = ({ error, steps }: SubmittedStep): boolean =>
  (error !== undefined && error !== null) || (steps ?? []).some(hasFailed);

const firstLine = (error: unknown): string => {
  const text = typeof error === 'string' ? error : textOf(error);
  return withoutAnsi(text).trim().split('\n', 1)[0]!;
};

const textOf = (error: unknown): string => {
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as { message?: unknown };
  return typeof message === 'string' ? message : (JSON.stringify(error) ?? '');
};

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text);
