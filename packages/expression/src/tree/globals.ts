import { GLOBALS } from './node.ts';

export const GLOBAL_NAMES: ReadonlySet<unknown> = new Set(GLOBALS);

/** The globals that are values and may stand anywhere; the others are objects and may not. */
export const VALUE_GLOBALS: ReadonlyMap<string, number | undefined> = new Map([
  ['undefined', undefined],
  ['NaN', NaN],
  ['Infinity', Infinity],
]);

const constantsOf = (name: string, global: object, keys: string): [string, number][] =>
  keys.split(' ').map((key) => [`${name}.${key}`, (global as Record<string, number>)[key]!]);

/** The members of global objects that are values, by their names as they are written. */
export const GLOBAL_CONSTANTS: ReadonlyMap<string | undefined, number> = new Map([
  ...constantsOf('Math', Math, 'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2'),
  ...constantsOf(
    'Number',
    Number,
    'EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY',
  ),
]);
