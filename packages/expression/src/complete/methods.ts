import type { ARRAY_METHODS } from '../evaluate/library/array.ts';
import type { DATE_METHODS, NUMBER_METHODS } from '../evaluate/library/methods.ts';
import type { STRING_METHODS } from '../evaluate/library/string.ts';

/** What an operand is, as far as completion can tell from the text. */
export type Shape = 'row' | 'string' | 'number' | 'boolean' | 'date' | 'strings' | 'enum' | 'duration' | 'unknown';

export interface Method {
  readonly signature: string;
  readonly docs: string;
  readonly gives: Shape;
}

const method = (signature: string, gives: Shape, docs: string): Method => ({ signature, gives, docs });

/** Only what the evaluators have may be offered. Every object inherits `toString` and `valueOf`, of another type. */
type Offered<Methods> = {
  readonly [Name in keyof Methods | 'length']?: Name extends 'toString' | 'valueOf' ? unknown : Method;
};

const STRING = {
  length: method('length', 'number', 'How many UTF-16 units the text has.'),
  includes: method('includes(text)', 'boolean', 'Whether the text contains another.'),
  startsWith: method('startsWith(text)', 'boolean', 'Whether the text starts with another.'),
  endsWith: method('endsWith(text)', 'boolean', 'Whether the text ends with another.'),
  toLowerCase: method('toLowerCase()', 'string', 'The text in lower case.'),
  toUpperCase: method('toUpperCase()', 'string', 'The text in upper case.'),
  trim: method('trim()', 'string', 'The text without white space at its ends.'),
  slice: method('slice(start, end)', 'string', 'A part of the text; negative places count from its end.'),
  indexOf: method('indexOf(text)', 'number', 'Where another text first occurs, or -1.'),
  at: method('at(position)', 'string', 'One character; negative places count from the end.'),
  split: method('split(separator)', 'strings', 'The parts of the text between separators.'),
} satisfies Offered<typeof STRING_METHODS>;

const NUMBER = {
  toFixed: method('toFixed(digits)', 'string', 'The number as text with so many decimals.'),
  toString: method('toString()', 'string', 'The number as text.'),
} satisfies Offered<typeof NUMBER_METHODS>;

const DATE = {
  getTime: method('getTime()', 'number', 'Milliseconds since 1970 in UTC.'),
  getUTCFullYear: method('getUTCFullYear()', 'number', 'The year in UTC.'),
  getUTCMonth: method('getUTCMonth()', 'number', 'The month in UTC, from 0.'),
  getUTCDate: method('getUTCDate()', 'number', 'The day of the month in UTC, from 1.'),
  getUTCDay: method('getUTCDay()', 'number', 'The day of the week in UTC, from 0 on Sunday.'),
  getFullYear: method('getFullYear()', 'number', 'The year in the declared time zone, or in UTC.'),
  getMonth: method('getMonth()', 'number', 'The month in the declared time zone, from 0.'),
  getDate: method('getDate()', 'number', 'The day of the month in the declared time zone, from 1.'),
  getDay: method('getDay()', 'number', 'The day of the week in the declared time zone, from 0 on Sunday.'),
  getHours: method('getHours()', 'number', 'The hour in the declared time zone, or in UTC.'),
  getUTCHours: method('getUTCHours()', 'number', 'The hour in UTC.'),
  toISOString: method('toISOString()', 'string', 'The date as ISO 8601 text in UTC.'),
} satisfies Offered<typeof DATE_METHODS>;

const STRINGS = {
  length: method('length', 'number', 'How many items the list has.'),
  includes: method('includes(item)', 'boolean', 'Whether the list has an item.'),
  some: method('some(x => …)', 'boolean', 'Whether any item passes a test.'),
  every: method('every(x => …)', 'boolean', 'Whether all items pass a test.'),
  filter: method('filter(x => …)', 'strings', 'The items that pass a test.'),
  find: method('find(x => …)', 'string', 'The first item that passes a test.'),
  map: method('map(x => …)', 'unknown', 'What a function makes of each item.'),
  join: method('join(separator)', 'string', 'The items as one text.'),
  at: method('at(position)', 'string', 'One item; negative places count from the end.'),
} satisfies Offered<typeof ARRAY_METHODS>;

const NONE: Readonly<Record<string, Method>> = {};

/** Members of what is no row. */
export function methodsOf(shape: Shape): Readonly<Record<string, Method>> {
  switch (shape) {
    case 'string':
    case 'enum':
      return STRING;
    case 'number':
    case 'duration':
      return NUMBER;
    case 'date':
      return DATE;
    case 'strings':
      return STRINGS;
    case 'row':
    case 'boolean':
    case 'unknown':
      return NONE;
  }
}

const MATHS = ['abs', 'ceil', 'floor', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'];

export const GLOBAL_METHODS: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  Math: Object.fromEntries([
    ...MATHS.map((name) => [name, method(`${name}(number)`, 'number', `Math.${name} of JavaScript.`)] as const),
    ['PI', method('PI', 'number', 'The circumference of a circle over its diameter.')],
  ]),
  Date: { now: method('now()', 'number', 'The present time in milliseconds, by the clock of the evaluation.') },
};
