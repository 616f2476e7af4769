import { BINARY, chargeEquality } from '../operators.ts';
import { type Site, charge, limit, roomForItems } from '../run.ts';
import { elementsOf, joinArray, lengthOf, readOwn, toNumber, toText } from '../value.ts';
import { type After, type Before, type Method, chargeMade, natives, toLambda } from './native.ts';

const array = <Names extends string>(names: Names, kinds: string, before?: Before, after?: After) =>
  natives(Array.prototype, names, kinds, before, after);

/** What was an element before is not made. */
const asItIs: After = (found) => found;

const { map } = array('map', 'lambda value', undefined, asItIs);

/** The engine flattens only arrays of ours. */
const cleanLists = (_self: unknown[], args: unknown[], at: Site): void => {
  const call = toLambda(args[0], at);
  args[0] = (...given: unknown[]): unknown => {
    const made = call(...given);
    return Array.isArray(made) ? elementsOf(made, at) : made;
  };
};

/** A stable merge sort of our own: what a lambda as comparator says cannot upset it. */
const mergeSort = (items: readonly unknown[], isAfter: (a: unknown, b: unknown) => boolean): readonly unknown[] => {
  if (items.length < 2) return items;
  const middle = items.length >> 1;
  const left = mergeSort(items.slice(0, middle), isAfter);
  const right = mergeSort(items.slice(middle), isAfter);
  let [l, r] = [0, 0];
  return items.map(() =>
    l < left.length && (r >= right.length || !isAfter(left[l], right[r])) ? left[l++] : right[r++],
  );
};

/** Undefined goes last; without a lambda texts are compared. */
const toSorted: Method = (self, [compare], at) => {
  const elements = [...elementsOf(self as object, at)];
  const present = elements.filter((element) => element !== undefined);
  charge(Math.ceil(present.length * Math.log2(present.length + 1)), at);
  const call = compare === undefined ? undefined : toLambda(compare, at);
  const texts = new Map<unknown, string>(call ? [] : present.map((element) => [element, toText(element, at)]));
  const sorted = mergeSort(present, (a, b) =>
    call ? toNumber(call(a, b), at) > 0 : BINARY['>'](texts.get(a), texts.get(b), at) === true,
  );
  return chargeMade(
    elements.map((_, index) => sorted[index]),
    at,
  );
};

const LAMBDAS = {
  ...array('every filter findIndex findLastIndex some', 'lambda value'),
  ...array('find findLast reduce reduceRight', 'lambda value', undefined, asItIs),
  ...array('flatMap', 'lambda value', cleanLists),
  map: ((self, args, at) => {
    roomForItems(lengthOf(self as object), at);
    return map(self, args, at);
  }) satisfies Method,
  toSorted,
};

const flatten = (result: unknown[], list: object, depth: number, nesting: number, at: Site): unknown[] => {
  limit('depth', nesting, at);
  elementsOf(list, at).forEach((element) => {
    if (depth >= 1 && Array.isArray(element)) flatten(result, element, depth - 1, nesting + 1, at);
    else limit('outputArrayLength', result.push(element), at);
  });
  return result;
};

const chargeEqualities = (elements: unknown[], [needle]: readonly unknown[], at: Site): void =>
  elements.forEach((element) => chargeEquality(element, needle, at));

const wrapLists = (_self: unknown[], args: unknown[], at: Site): void =>
  args.forEach((arg, index) => (args[index] = Array.isArray(arg) ? elementsOf(arg, at) : [arg]));

export const ARRAY_METHODS = {
  ...LAMBDAS,
  ...array('concat', 'value', wrapLists),
  ...array('includes indexOf lastIndexOf', 'value place value', chargeEqualities),
  ...array('slice', 'number number value'),
  ...array('toReversed', 'value'),
  ...array('toSpliced', 'number number value'),
  ...array('with', 'number value'),
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
