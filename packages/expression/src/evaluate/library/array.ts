import { BINARY, chargeEquality } from '../operators.ts';
import { type Site, charge, limit } from '../run.ts';
import { elementsOf, joinArray, lengthOf, readOwn, toNumber, toText } from '../value.ts';
import { type Each, LISTS, includes, readElement } from './lists.ts';
import {
  type After,
  type Before,
  type Kinds,
  type Lambda,
  type Method,
  chargeMade,
  natives,
  toLambda,
} from './native.ts';

const array = <Names extends string>(names: Names, kinds: Kinds, before?: Before, after?: After) =>
  natives(Array.prototype, names, kinds, before, after);

/** What was an element before is not made. */
const asItIs: After = (found) => found;

/** What it takes to look into one list, however short. */
const FLATTEN_STEPS = 8;

/** The engine flattens only arrays of ours. */
const cleanLists = (_self: unknown[], args: Lambda[], at: Site): void => {
  const [call] = args;
  args[0] = (...given) => {
    const made = call!(...given);
    charge(FLATTEN_STEPS, at);
    return Array.isArray(made) ? elementsOf(made, at) : made;
  };
};

/** What it takes to compare two elements. */
const COMPARE_STEPS = 2;

/** Undefined goes last; without a lambda texts are compared. */
const toSorted: Method = (self, [compare], at) => {
  const elements = [...elementsOf(self as object, at)];
  charge(Math.ceil(COMPARE_STEPS * elements.length * Math.log2(elements.length + 1)), at);
  const call = compare === undefined ? undefined : toLambda(compare, at);
  const texts = new Map<unknown, string>(call ? [] : elements.map((element) => [element, toText(element, at)]));
  const isAfter = (a: unknown, b: unknown): boolean => BINARY['>'](texts.get(a), texts.get(b), at) as boolean;
  elements.sort((a, b) => (call ? toNumber(call(a, b), at) : Number(isAfter(a, b)) - Number(isAfter(b, a))));
  return chargeMade(elements, at);
};

const callLambda: Each<Lambda> = (lambda, ...args) => lambda(...args);

/** The loops of ours do what the engine's do, and read an element only when its turn comes. */
const looped = (name: keyof typeof LISTS): Method => {
  const native = name === 'reduce' ? array('reduce', 'lambda', undefined, asItIs).reduce : undefined;
  return (self, args, at) =>
    native && args.length < 2
      ? native(self, args, at)
      : LISTS[name](self as unknown[], callLambda, toLambda(args[0], at), at, readElement, args[1]);
};

const LAMBDAS = {
  ...(Object.fromEntries(Object.keys(LISTS).map((name) => [name, looped(name as 'map')])) as Record<
    keyof typeof LISTS,
    Method
  >),
  ...array('findLastIndex', 'lambda'),
  ...array('findLast reduceRight', 'lambda', undefined, asItIs),
  ...array('flatMap', 'lambda', cleanLists),
  toSorted,
};

const flatten = (result: unknown[], list: object, depth: number, nesting: number, at: Site): unknown[] => {
  limit('depth', nesting, at);
  charge(FLATTEN_STEPS + 3 * lengthOf(list), at);
  elementsOf(list, at).forEach((element) => {
    if (depth >= 1 && Array.isArray(element)) flatten(result, element, depth - 1, nesting + 1, at);
    else limit('outputArrayLength', result.push(element), at);
  });
  return result;
};

const chargeEqualities = (elements: unknown[], [needle]: readonly unknown[], at: Site): void =>
  elements.forEach((element) => chargeEquality(element, needle, at));

const SEARCHES = array('includes indexOf lastIndexOf', 'value place', chargeEqualities);

const wrapLists = (_self: unknown[], args: unknown[], at: Site): void =>
  args.forEach((arg, index) => (args[index] = Array.isArray(arg) ? elementsOf(arg, at) : [arg]));

export const ARRAY_METHODS = {
  ...LAMBDAS,
  ...array('concat', 'value', wrapLists),
  ...SEARCHES,
  includes: ((self, args, at) =>
    args.length === 1
      ? includes(self as unknown[], args[0], at, readElement)
      : SEARCHES.includes(self, args, at)) satisfies Method,
  ...array('slice', 'number number'),
  ...array('toReversed', 'value'),
  ...array('toSpliced', 'number number'),
  ...array('with', 'number'),
  at: ((self, [given], at) => {
    const index = Math.trunc(toNumber(given, at)) || 0;
    return readOwn(self, index < 0 ? lengthOf(self as object) + index : index, at);
  }) satisfies Method,
  flat: ((self, [depth = 1], at) =>
    chargeMade(flatten([], self as object, toNumber(depth, at), 1, at), at)) satisfies Method,
  join: ((self, [separator = ','], at) => joinArray(self as object, toText(separator, at), at)) satisfies Method,
  toString: ((self, _args, at) => toText(self, at)) satisfies Method,
};

/** The methods whose first argument may be a lambda. */
export const LAMBDA_METHODS: ReadonlySet<unknown> = new Set(Object.keys(LAMBDAS));
