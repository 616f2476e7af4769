import { GLOBAL_FUNCTIONS } from '../evaluate/library/globals.ts';
import { METHODS } from '../evaluate/library/methods.ts';
import {
  ANYTHING,
  ARRAY,
  BIGINT,
  BOOLEAN,
  type Inferred,
  listTypes,
  NULL,
  NUMBER,
  REGEXP,
  STRING,
  UNKNOWN,
  perhaps,
  union,
} from './types.ts';

/** What a call gives: by itself, or from its receiver and what a lambda that it takes gives. */
type Gives = Inferred | ((receiver: Inferred, made: Inferred) => Inferred);

const each = <Result>(words: string, gives: Result): [string, Result][] =>
  words.split(' ').map((name) => [name, gives]);

/** All methods of a type; those that give something else come behind. */
const others = (type: string, gives: Gives): [string, Gives][] =>
  [...METHODS[type]!.keys()].map((name) => [name, gives]);

const boolean: Inferred = { types: BOOLEAN };
const number: Inferred = { types: NUMBER };
const string: Inferred = { types: STRING };
const listOf = (element: Inferred): Inferred => ({ types: ARRAY, element });
const sameItems: Gives = ({ element = ANYTHING }) => listOf(element);
const oneOfItems: Gives = ({ element = ANYTHING }) => perhaps(element);

/** By the type of the receiver, then by the name of the method. */
export const METHOD_RESULTS: Readonly<Record<string, ReadonlyMap<string, Gives>>> = {
  string: new Map<string, Gives>([
    ...others('string', string),
    ...each('endsWith includes isWellFormed startsWith', boolean),
    ...each('charCodeAt indexOf lastIndexOf', number),
    ...each('at', perhaps(string)),
    ...each('codePointAt', perhaps(number)),
    ...each('split', listOf(string)),
  ]),
  array: new Map<string, Gives>([
    ...each('every includes some', boolean),
    ...each('findIndex findLastIndex indexOf lastIndexOf', number),
    ...each('join toString', string),
    ...each('at find findLast', oneOfItems),
    ...each('filter slice toReversed toSorted', sameItems),
    ...each('map', (_: Inferred, made: Inferred) => listOf(made)),
    ...each('concat flat flatMap toSpliced with', listOf(ANYTHING)),
    ...each('reduce reduceRight', ANYTHING),
  ]),
  number: new Map<string, Gives>([...others('number', string), ...each('valueOf', number)]),
  date: new Map<string, Gives>([
    ...others('date', number),
    ...each('toISOString toUTCString', string),
    ...each('toJSON', { types: STRING | NULL }),
  ]),
  regexp: new Map<string, Gives>(each('test', boolean)),
};

export const GLOBAL_RESULTS: ReadonlyMap<string, Inferred> = new Map([
  ...[...GLOBAL_FUNCTIONS.keys()].filter((name) => name.startsWith('Math.')).map((name) => [name, number] as const),
  ...each('Number Number.parseFloat Number.parseInt Date.UTC Date.now Date.parse', number),
  ...each('Boolean Number.isFinite Number.isInteger Number.isNaN Number.isSafeInteger', boolean),
  ...each('Array.isArray Object.hasOwn Object.is', boolean),
  ...each('String String.fromCharCode String.fromCodePoint', string),
  ...each('BigInt BigInt.asIntN BigInt.asUintN', { types: BIGINT }),
  ...each('Object.keys', listOf(string)),
  ...each('Array.of Object.entries Object.values', listOf(ANYTHING)),
  ...each('JSON.parse', ANYTHING),
  ...each('JSON.stringify', perhaps(string)),
  ...each('RegExp', { types: REGEXP }),
]);

/** What a method gives: of a receiver that may be anything, whatever the methods of that name give. */
export const resultOf = (receiver: Inferred, name: string, made: Inferred): Inferred => {
  const types = receiver.types & UNKNOWN ? Object.keys(METHOD_RESULTS) : listTypes(receiver);
  const results = types.flatMap((type) => METHOD_RESULTS[type]?.get(name) ?? []);
  if (results.length === 0) return ANYTHING;
  return union(results.map((gives) => (typeof gives === 'function' ? gives(receiver, made) : gives)));
};
