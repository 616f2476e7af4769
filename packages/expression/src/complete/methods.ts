import type { ARRAY_METHODS } from '../evaluate/library/array.ts';
import type { DATE_METHODS, NUMBER_METHODS } from '../evaluate/library/methods.ts';
import type { STRING_METHODS } from '../evaluate/library/string.ts';

export interface Method {
  /** As one writes them behind the name. */
  readonly parameters: string;
  readonly docs: string;
}

const method = (parameters: string, docs: string): Method => ({ parameters, docs });

/** Only what the evaluators have may be offered. Every object inherits `toString` and `valueOf`, of another type. */
type Offered<Methods> = {
  readonly [Name in keyof Methods | 'length']?: Name extends 'toString' | 'valueOf' ? unknown : Method;
};

const STRING = {
  length: method('', 'How many UTF-16 units the text has.'),
  includes: method('(text)', 'Whether the text contains another.'),
  startsWith: method('(text)', 'Whether the text starts with another.'),
  endsWith: method('(text)', 'Whether the text ends with another.'),
  toLowerCase: method('()', 'The text in lower case.'),
  toUpperCase: method('()', 'The text in upper case.'),
  trim: method('()', 'The text without white space at its ends.'),
  slice: method('(start, end)', 'A part of the text; negative places count from its end.'),
  indexOf: method('(text)', 'Where another text first occurs, or -1.'),
  at: method('(position)', 'One character; negative places count from the end.'),
  split: method('(separator)', 'The parts of the text between separators.'),
} satisfies Offered<typeof STRING_METHODS>;

const NUMBER = {
  toFixed: method('(digits)', 'The number as text with so many decimals.'),
  toString: method('()', 'The number as text.'),
} satisfies Offered<typeof NUMBER_METHODS>;

const DATE = {
  getTime: method('()', 'Milliseconds since 1970 in UTC.'),
  getUTCFullYear: method('()', 'The year in UTC.'),
  getUTCMonth: method('()', 'The month in UTC, from 0.'),
  getUTCDate: method('()', 'The day of the month in UTC, from 1.'),
  getUTCDay: method('()', 'The day of the week in UTC, from 0 on Sunday.'),
  getFullYear: method('()', 'The year in the declared time zone, or in UTC.'),
  getMonth: method('()', 'The month in the declared time zone, from 0.'),
  getDate: method('()', 'The day of the month in the declared time zone, from 1.'),
  getDay: method('()', 'The day of the week in the declared time zone, from 0 on Sunday.'),
  getHours: method('()', 'The hour in the declared time zone, or in UTC.'),
  getUTCHours: method('()', 'The hour in UTC.'),
  toISOString: method('()', 'The date as ISO 8601 text in UTC.'),
} satisfies Offered<typeof DATE_METHODS>;

const ARRAY = {
  length: method('', 'How many items the list has.'),
  includes: method('(item)', 'Whether the list has an item.'),
  some: method('(x => …)', 'Whether any item passes a test.'),
  every: method('(x => …)', 'Whether all items pass a test.'),
  filter: method('(x => …)', 'The items that pass a test.'),
  find: method('(x => …)', 'The first item that passes a test.'),
  map: method('(x => …)', 'What a function makes of each item.'),
  join: method('(separator)', 'The items as one text.'),
  at: method('(position)', 'One item; negative places count from the end.'),
} satisfies Offered<typeof ARRAY_METHODS>;

/** By the name of the type of what they are called on. */
export const METHODS_OFFERED: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  string: STRING,
  number: NUMBER,
  date: DATE,
  array: ARRAY,
};

const MATHS = 'abs ceil floor max min round sign sqrt trunc'.split(' ');

/** By the name of the global that has them. */
export const GLOBAL_METHODS: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  Math: Object.fromEntries([
    ...MATHS.map((name) => [name, method('(number)', `Math.${name} of JavaScript.`)] as const),
    ['PI', method('', 'The circumference of a circle over its diameter.')],
  ]),
  Date: { now: method('()', 'The present time in milliseconds, by the clock of the evaluation.') },
};
