import { beyond } from '../tree/bounds.ts';
import { ExpressionError } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import type { Span } from '../tree/node.ts';
import type { EvalCode } from './codes.ts';

/** A node as errors name it. */
export interface Site {
  readonly path: string;
  readonly span?: Span | undefined;
}

export interface RunOptions {
  /** Captured values and the functions that trees may call, by name. */
  readonly scope?: Readonly<Record<string, unknown>> | undefined;
  /** What `Date.now()` gives, in milliseconds; without it that call is denied. */
  readonly clock?: (() => number) | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Allows `RegExp()` and the method `test`, whose time no budget bounds. */
  readonly regexps?: boolean | undefined;
}

/** What one evaluation may still do. */
export interface Run {
  readonly limits: Limits;
  readonly scope: Readonly<Record<string, unknown>> | undefined;
  readonly clock: (() => number) | undefined;
  readonly regexps: boolean;
  /** 10 to the power of the digits that a bigint may have. */
  readonly bigintBound: bigint;
  left: number;
}

/** Deeper trees would come near the end of the stack of some engines. */
const DEEPEST = 1_000;

export const createRun = ({ scope, clock, limits, regexps }: RunOptions): Run => {
  const merged = { ...LIBRARY_LIMITS, ...limits };
  return {
    limits: { ...merged, depth: Math.min(merged.depth, DEEPEST) },
    scope,
    clock,
    regexps: regexps === true,
    bigintBound: boundOf(merged.bigintDigits),
    left: 0,
  };
};

let knownBound = { digits: 0, bound: 1n };

const boundOf = (digits: number): bigint => {
  if (knownBound.digits !== digits) knownBound = { digits, bound: 10n ** BigInt(digits) };
  return knownBound.bound;
};

export const fail = (code: EvalCode, at: Site, message: string): never => {
  throw new ExpressionError(code, at.path, message, at.span);
};

export const overLimit = (run: Run, name: keyof Limits, actual: number, at: Site): never => {
  throw beyond(run.limits, name, actual, at);
};

/** Takes steps off the budget. */
export const charge = (run: Run, steps: number, at: Site): void => {
  run.left -= steps;
  if (run.left < 0) overLimit(run, 'steps', run.limits.steps - run.left, at);
};

/** A text that is made: it must fit, and long ones cost steps. */
export const madeText = (run: Run, text: string, at: Site): string => {
  roomForText(run, text.length, at);
  return text;
};

export const limitText = (run: Run, length: number, at: Site): void => {
  if (!(length <= run.limits.outputStringLength)) overLimit(run, 'outputStringLength', length, at);
};

export const roomForText = (run: Run, length: number, at: Site): void => {
  limitText(run, length, at);
  if (length >= 1024) charge(run, length >> 10, at);
};

/** Work that takes an engine many times longer for a character than to make or compare it. */
export const SLOW_TEXT = 128;

export const chargeSlowText = (run: Run, length: number, at: Site): void => {
  if (length > SLOW_TEXT) charge(run, length >> 5, at);
};

/** An array that is made: it must fit, and each element costs a step. */
export const roomForItems = (run: Run, length: number, at: Site): void => {
  if (!(length <= run.limits.outputArrayLength)) overLimit(run, 'outputArrayLength', length, at);
  charge(run, length, at);
};

/** Whatever else is thrown while evaluating comes from the host's data, or is the end of the stack. */
export const asExpressionError = (error: unknown, at: Site): ExpressionError => {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return new ExpressionError('limit.depth', at.path, 'The stack ends', at.span);
  const wrapped = new ExpressionError('eval.host', at.path, 'The data of the host failed', at.span);
  wrapped.cause = error;
  return wrapped;
};
