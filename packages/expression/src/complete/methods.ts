import type { ARRAY_METHODS } from '../evaluate/library/array.ts';
import type { DATE_METHODS, NUMBER_METHODS } from '../evaluate/library/methods.ts';
import type { STRING_METHODS } from '../evaluate/library/string.ts';

export interface Method {
  readonly signature: string;
  readonly docs: string;
}

const method = (signature: string, docs: string): Method => ({ signature, docs });

/** Only what the evaluators have may be offered. Every object inherits `toString` and `valueOf`, of another type. */
type Offered<Methods> = {
  readonly [Name in keyof Methods | 'length']?: Name extends 'toString' | 'valueOf' ? unknown : Method;
};

const STRING = {
  length: method('length', 'How many UTF-16 units the text has.'),
  includes: method('includes(text)', 'Whether the text contains another.'),
  startsWith: method('startsWith(text)', 'Whether the text starts with another.'),
  endsWith: method('endsWith(text)', 'Whether the text ends with another.'),
  toLowerCase: method('toLowerCase()', 'The text in lower case.'),
  toUpperCase: method('toUpperCase()', 'The text in upper case.'),
  trim: method('trim()', 'The text without white space at its ends.'),
  slice: method('slice(start, end)', 'A part of the text; negative places count from its end.'),
  indexOf: method('indexOf(text)', 'Where another text first occurs, or -1.'),
  at: method('at(position)', 'One character; negative places count from the end.'),
  split: method('split(separator)', 'The parts of the text between separators.'),
} satisfies Offered<typeof STRING_METHODS>;

const NUMBER = {
  toFixed: method('toFixed(digits)', 'The number as text with so many decimals.'),
  toString: method('toString()', 'The number as text.'),
} satisfies Offered<typeof NUMBER_METHODS>;

const DATE = {
  getTime: method('getTime()', 'Milliseconds since 1970 in UTC.'),
  getUTCFullYear: method('getUTCFullYear()', 'The year in UTC.'),
  getUTCMonth: method('getUTCMonth()', 'The month in UTC, from 0.'),
  getUTCDate: method('getUTCDate()', 'The day of the month in UTC, from 1.'),
  getUTCDay: method('getUTCDay()', 'The day of the week in UTC, from 0 on Sunday.'),
  getFullYear: method('getFullYear()', 'The year in the declared time zone, or in UTC.'),
  getMonth: method('getMonth()', 'The month in the declared time zone, from 0.'),
  getDate: method('getDate()', 'The day of the month in the declared time zone, from 1.'),
  getDay: method('getDay()', 'The day of the week in the declared time zone, from 0 on Sunday.'),
  getHours: method('getHours()', 'The hour in the declared time zone, or in UTC.'),
  getUTCHours: method('getUTCHours()', 'The hour in UTC.'),
  toISOString: method('toISOString()', 'The date as ISO 8601 text in UTC.'),
} satisfies Offered<typeof DATE_METHODS>;

const ARRAY = {
  length: method('length', 'How many items the list has.'),
  includes: method('includes(item)', 'Whether the list has an item.'),
  some: method('some(x => …)', 'Whether any item passes a test.'),
  every: method('every(x => …)', 'Whether all items pass a test.'),
  filter: method('filter(x => …)', 'The items that pass a test.'),
  find: method('find(x => …)', 'The first item that passes a test.'),
  map: method('map(x => …)', 'What a function makes of each item.'),
  join: method('join(separator)', 'The items as one text.'),
  at: method('at(position)', 'One item; negative places count from the end.'),
} satisfies Offered<typeof ARRAY_METHODS>;

/** By the name of the type of what they are called on. */
export const METHODS_OFFERED: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  string: STRING,
  number: NUMBER,
  date: DATE,
  array: ARRAY,
};

const MATHS = ['abs', 'ceil', 'floor', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'];

/** By the name of the global that has them. */
export const GLOBAL_METHODS: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  Math: Object.fromEntries([
    ...MATHS.map((name) => [name, method(`${name}(number)`, `Math.${name} of JavaScript.`)] as const),
    ['PI', method('PI', 'The circumference of a circle over its diameter.')],
  ]),
  Date: { now: method('now()', 'The present time in milliseconds, by the clock of the evaluation.') },
};
