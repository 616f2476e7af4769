import { GLOBAL_NAMES } from '../tree/globals.ts';
import { nameEnd } from './name-end.ts';

/** Words that cannot stand for a value by themselves; `#word` still names a parameter. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally ' +
    'for function if import in instanceof new null return super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

export const isGlobal = (name: string): boolean => GLOBAL_NAMES.has(name);

export const isReserved = (name: string): boolean => RESERVED.has(name);

export const isIdentifier = (name: string): boolean => name !== '' && nameEnd(name, 0) === name.length;
