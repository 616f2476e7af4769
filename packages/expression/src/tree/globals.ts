import { GLOBALS } from './node.ts';

export const GLOBAL_NAMES: ReadonlySet<unknown> = new Set(GLOBALS);

/** The globals that are values and may stand anywhere; the others are objects and may not. */
export const VALUE_GLOBALS: ReadonlySet<unknown> = new Set(['undefined', 'NaN', 'Infinity']);
