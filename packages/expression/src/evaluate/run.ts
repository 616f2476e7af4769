import { checkLimit } from '../tree/bounds.ts';
import { ExpressionError } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import type { Span, Value } from '../tree/node.ts';
import type { EvalCode } from './codes.ts';

/** A node as errors name it. */
export interface Spot {
  readonly path: string;
  readonly span?: Span | undefined;
}

/** A node in an evaluation: where errors are, and what may still be done. */
export interface Site extends Spot {
  readonly run: Run;
}

export interface RunOptions {
  /** Captured values and the functions that trees may call, by name. */
  readonly scope?: Readonly<Record<string, unknown>> | undefined;
  /** What `Date.now()` gives, in milliseconds; without it that call is denied. */
  readonly clock?: (() => number) | undefined;
  /** The time zone of the local getters of dates, such as `getHours`, by its IANA name; UTC if it is left out. */
  readonly zone?: string | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Allows `RegExp()` and the method `test`, whose time no budget bounds. */
  readonly regexps?: boolean | undefined;
}

/** A compiled tree: what it gives for inputs by name. */
export type Call = (params?: Readonly<Record<string, unknown>>) => Value;

/** What one evaluation may still do. */
export interface Run extends RunOptions {
  readonly limits: Limits;
  left: number;
  /** The length up to which a text that is made costs nothing and is not refused. */
  readonly shortText: number;
  /** Whether the tree calls a function of the host. */
  callsHost: boolean;
  /** Whether data had an accessor where a property was read. */
  metAccessor: boolean;
}

/** Deeper trees would come near the end of the stack of some engines. */
const DEEPEST = 1_000;

export const createRun = (options: RunOptions): Run => {
  const limits = { ...LIBRARY_LIMITS, ...options.limits };
  return {
    ...options,
    limits: { ...limits, depth: Math.min(limits.depth, DEEPEST) },
    // A small integer for as long as it lives, which engines count down fastest.
    left: 2 ** 30,
    shortText: Math.min(SLOW_TEXT, limits.outputStringLength),
    callsHost: false,
    metAccessor: false,
  };
};

export const fail = (code: EvalCode, at: Spot, message: string): never => {
  throw new ExpressionError(code, at.path, message, at.span);
};

/** Refuses what is more than the limit. */
export const limit = (name: keyof Limits, actual: number, at: Site): void => {
  checkLimit(at.run.limits, name, actual, at);
};

/** Takes steps off the budget. */
export const charge = (steps: number, at: Site): void => {
  const { run } = at;
  run.left -= steps;
  if (run.left < 0) limit('steps', run.limits.steps - run.left, at);
};

/** Work on a text of this length belongs to the operation; what an engine does to longer ones may take long. */
export const SLOW_TEXT = 128;

/** Below it, texts are compared at no extra charge. */
export const LONG_TEXT = 1024;

/** A list of this length is read without extra charge. */
export const FREE_ITEMS = 16;

/** A text that is made: it must fit, and long ones cost steps, so that all of a budget is 64 MB at most. */
export const roomForText = (length: number, at: Site): void => {
  limit('outputStringLength', length, at);
  if (length > SLOW_TEXT) charge(length >> 5, at);
};

/** Work that takes an engine many times longer for a character than to make or compare it. */
export const chargeSlowText = (length: number, at: Site): void => {
  if (length > SLOW_TEXT) charge(length >> 3, at);
};

/** An array that is made: it must fit, and each element costs a step. */
export const roomForItems = (length: number, at: Site): void => {
  // By its name in the source, which takes engines a tenth of the time.
  if (length > at.run.limits.outputArrayLength) limit('outputArrayLength', length, at);
  charge(length, at);
};

/** The error for one of the host, or of the engine. */
export const causedBy = (error: unknown, at: Spot, code: EvalCode = 'eval.host'): ExpressionError => {
  const message = code === 'eval.host' ? 'Data or a function of the host failed' : (error as Error).message;
  const made = new ExpressionError(code, at.path, message, at.span);
  made.cause = error;
  return made;
};

/** Whatever else is thrown while evaluating has its cause outside, or is the end of the stack. */
export const asExpressionError = (error: unknown, at: Spot, code?: EvalCode): ExpressionError => {
  if (error instanceof ExpressionError) return error;
  const isStack = error instanceof RangeError && /call stack/i.test(error.message);
  return causedBy(error, at, isStack ? 'limit.depth' : code);
};

const REFUSALS: Readonly<Record<string, EvalCode>> = {
  RangeError: 'eval.range',
  SyntaxError: 'eval.syntax',
  TypeError: 'eval.type',
};

/** Work over values of ours: only the engine itself can refuse it. */
export const byEngine = <Made>(at: Site, work: () => Made): Made => {
  try {
    return work();
  } catch (error) {
    throw asExpressionError(error, at, REFUSALS[(error as Error).name]);
  }
};
