import { identical, includes } from '../operators.ts';
import { type Run, type Site, fail, roomForItems } from '../run.ts';
import { findElement, joinArray, lengthOf, readOwn, toInteger, toText, withinDepth } from '../value.ts';
import { sortArray } from './sort.ts';
import type { Method } from './string.ts';

type Callback = (...args: unknown[]) => unknown;

const callback = (value: unknown, at: Site): Callback =>
  typeof value === 'function' ? (value as Callback) : fail('eval.type', at, 'A lambda is wanted');

/** Where a relative index lies, between 0 and the length. */
const clamp = (run: Run, value: unknown, length: number, missing: number, at: Site): number => {
  if (value === undefined) return missing;
  const index = toInteger(run, value, at);
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
};

/** A method that calls a lambda on every element that is there, as ECMAScript does, until `visit` says stop. */
const each =
  <State>(
    start: () => State,
    visit: (state: State, made: unknown, element: unknown, run: Run, at: Site) => unknown,
    finish: (state: State, found: number) => unknown,
  ): Method<object> =>
  (run, self, args, at) => {
    const call = callback(args[0], at);
    const state = start();
    const found = findElement(run, self, at, (element, index) =>
      visit(state, call(element, index, self), element, run, at),
    );
    return finish(state, found);
  };

const newList = (): unknown[] => [];
const listOf = (list: unknown[]): unknown[] => list;

const append = (run: Run, result: unknown[], value: unknown, at: Site): void => {
  if (result.length >= run.limits.outputArrayLength) roomForItems(run, result.length + 1, at);
  result.push(value);
};

const map: Method<object> = (run, self, args, at) => {
  const result: unknown[] = [];
  const call = callback(args[0], at);
  roomForItems(run, lengthOf(self), at);
  findElement(run, self, at, (element, index) => {
    result[index] = call(element, index, self);
  });
  result.length = lengthOf(self);
  return result;
};

const finding =
  (right: boolean, wantsIndex: boolean): Method<object> =>
  (run, self, args, at) => {
    const call = callback(args[0], at);
    const found = findElement(run, self, at, (element, index) => call(element, index, self), { right, holes: true });
    return wantsIndex ? found : found < 0 ? undefined : readOwn(self, found, at);
  };

const reducing =
  (right: boolean): Method<object> =>
  (run, self, args, at) => {
    const call = callback(args[0], at);
    let [, result] = args;
    let started = args.length > 1;
    const take = (element: unknown, index: number): void => {
      result = started ? call(result, element, index, self) : element;
      started = true;
    };
    findElement(run, self, at, take, { right });
    return started ? result : fail('eval.type', at, 'An empty array is reduced without a first value');
  };

/** The elements as a dense array of ours. */
export const elementsOf = (run: Run, array: object, at: Site, start = 0, end = lengthOf(array)): unknown[] => {
  const result: unknown[] = [];
  roomForItems(run, Math.max(0, end - start), at);
  for (let index = start; index < end; index++) result.push(readOwn(array, index, at));
  return result;
};

const flatten = (run: Run, result: unknown[], array: object, depth: number, nesting: number, at: Site): void => {
  withinDepth(run, nesting, at);
  findElement(run, array, at, (element) => {
    if (depth >= 1 && Array.isArray(element)) flatten(run, result, element, depth - 1, nesting + 1, at);
    else append(run, result, element, at);
  });
};

const LAMBDAS = {
  every: each(
    () => 0,
    (_, made) => !made,
    (_, found) => found < 0,
  ),
  filter: each(
    newList,
    (result, keep, element, run, at) => {
      if (keep) append(run, result, element, at);
    },
    listOf,
  ),
  find: finding(false, false),
  findIndex: finding(false, true),
  findLast: finding(true, false),
  findLastIndex: finding(true, true),
  flatMap: each(
    newList,
    (result, made, _, run, at) => {
      if (Array.isArray(made)) flatten(run, result, made, 0, 1, at);
      else append(run, result, made, at);
    },
    listOf,
  ),
  map,
  reduce: reducing(false),
  reduceRight: reducing(true),
  some: each(
    () => 0,
    (_, made) => made,
    (_, found) => found >= 0,
  ),
  toSorted: (run, self, args, at) =>
    sortArray(run, elementsOf(run, self, at), args[0] === undefined ? undefined : callback(args[0], at), at),
} satisfies Readonly<Record<string, Method<object>>>;

const joined: Method<object> = (run, self, _args, at) => joinArray(run, self, ',', at);

export const ARRAY_METHODS = {
  ...LAMBDAS,
  at: (run, self, args, at) => {
    const index = toInteger(run, args[0], at);
    const position = index < 0 ? lengthOf(self) + index : index;
    return position < 0 || position >= lengthOf(self) ? undefined : readOwn(self, position, at);
  },
  concat: (run, self, args, at) => {
    const result = elementsOf(run, self, at);
    for (const arg of args)
      for (const element of Array.isArray(arg) ? elementsOf(run, arg, at) : [arg]) append(run, result, element, at);
    return result;
  },
  flat: (run, self, args, at) => {
    const result: unknown[] = [];
    flatten(run, result, self, args[0] === undefined ? 1 : toInteger(run, args[0], at), 1, at);
    return result;
  },
  includes: (run, self, args, at) => {
    const length = lengthOf(self);
    return length > 0 && includes(run, self, args[0], clamp(run, args[1], length, 0, at), at);
  },
  indexOf: (run, self, args, at) => {
    const length = lengthOf(self);
    const from = length && clamp(run, args[1], length, 0, at);
    return findElement(run, self, at, (element) => identical(run, element, args[0], at), { from });
  },
  join: (run, self, args, at) => joinArray(run, self, args[0] === undefined ? ',' : toText(run, args[0], at), at),
  lastIndexOf: (run, self, args, at) => {
    const length = lengthOf(self);
    const last = args.length > 1 && length > 0 ? toInteger(run, args[1], at) : Infinity;
    const to = 1 + (last < 0 ? length + last : Math.min(last, length - 1));
    return findElement(run, self, at, (element) => identical(run, element, args[0], at), { to, right: true });
  },
  slice: (run, self, args, at) => {
    const length = lengthOf(self);
    const start = clamp(run, args[0], length, 0, at);
    return elementsOf(run, self, at, start, clamp(run, args[1], length, length, at));
  },
  toReversed: (run, self, _args, at) => elementsOf(run, self, at).reverse(),
  toSpliced: (run, self, args, at) => {
    const length = lengthOf(self);
    const start = clamp(run, args[0], length, 0, at);
    const wanted = args.length === 0 ? 0 : args.length === 1 ? length : toInteger(run, args[1], at);
    const removed = Math.min(Math.max(0, wanted), length - start);
    const result = elementsOf(run, self, at, 0, start);
    for (const part of [args.slice(2), elementsOf(run, self, at, start + removed)])
      for (const element of part) append(run, result, element, at);
    return result;
  },
  toString: joined,
  with: (run, self, args, at) => {
    const length = lengthOf(self);
    const relative = toInteger(run, args[0], at);
    const index = relative < 0 ? length + relative : relative;
    if (index < 0 || index >= length) fail('eval.range', at, `No index ${relative} in an array of ${length}`);
    const result = elementsOf(run, self, at);
    result[index] = args[1];
    return result;
  },
} satisfies Readonly<Record<string, Method<object>>>;

/** The methods whose first argument may be a lambda. */
export const LAMBDA_METHODS: ReadonlySet<string> = new Set(Object.keys(LAMBDAS));
