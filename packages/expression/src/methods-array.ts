import { hasOwnKey, joinArray, lengthOf, readOwn, toInteger, toText } from './eval-value.ts';
import type { Method } from './methods-string.ts';
import { includes } from './operators.ts';
import { type Run, type Site, charge, fail, roomForItems } from './run.ts';
import { sortArray } from './sort.ts';

type Callback = (...args: unknown[]) => unknown;

const callback = (value: unknown, at: Site): Callback =>
  typeof value === 'function' ? (value as Callback) : fail('eval.type', at, 'A lambda is wanted');

/** Where a relative index lies, between 0 and the length. */
const clamp = (run: Run, value: unknown, length: number, missing: number, at: Site): number => {
  if (value === undefined) return missing;
  const index = toInteger(run, value, at);
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
};

/** Calls the lambda on every element that is there, as ECMAScript does, until `visit` says stop. */
const each = (
  run: Run,
  self: object,
  args: readonly unknown[],
  at: Site,
  visit: (result: unknown, element: unknown, index: number) => boolean,
): void => {
  const length = lengthOf(self);
  const call = callback(args[0], at);
  charge(run, length, at);
  for (let index = 0; index < length; index++) {
    if (!hasOwnKey(self, index)) continue;
    const element = readOwn(self, index, at);
    if (visit(call(element, index, self), element, index)) return;
  }
};

const map: Method<object> = (run, self, args, at) => {
  const result: unknown[] = [];
  roomForItems(run, lengthOf(self), at);
  each(run, self, args, at, (made, _element, index) => {
    result[index] = made;
    return false;
  });
  result.length = lengthOf(self);
  return result;
};

const filter: Method<object> = (run, self, args, at) => {
  const result: unknown[] = [];
  each(run, self, args, at, (keep, element) => {
    if (keep) result.push(element);
    if (result.length > run.limits.outputArrayLength) roomForItems(run, result.length, at);
    return false;
  });
  return result;
};

const some: Method<object> = (run, self, args, at) => {
  let found = false;
  each(run, self, args, at, (result) => (found = !!result));
  return found;
};

const every: Method<object> = (run, self, args, at) => {
  let failed = false;
  each(run, self, args, at, (result) => (failed = !result));
  return !failed;
};

const finding =
  (last: boolean, index: boolean): Method<object> =>
  (run, self, args, at) => {
    const length = lengthOf(self);
    const call = callback(args[0], at);
    charge(run, length, at);
    for (let step = 0; step < length; step++) {
      const position = last ? length - 1 - step : step;
      const element = readOwn(self, position, at);
      if (call(element, position, self)) return index ? position : element;
    }
    return index ? -1 : undefined;
  };

const reducing =
  (right: boolean): Method<object> =>
  (run, self, args, at) => {
    const length = lengthOf(self);
    const call = callback(args[0], at);
    charge(run, length, at);
    let started = args.length > 1;
    let result = args[1];
    for (let step = 0; step < length; step++) {
      const index = right ? length - 1 - step : step;
      if (!hasOwnKey(self, index)) continue;
      const element = readOwn(self, index, at);
      result = started ? call(result, element, index, self) : element;
      started = true;
    }
    return started ? result : fail('eval.type', at, 'An empty array is reduced without a first value');
  };

const indexOf: Method<object> = (run, self, args, at) => {
  const length = lengthOf(self);
  charge(run, length, at);
  for (let index = clamp(run, args[1], length, 0, at); index < length; index++)
    if (hasOwnKey(self, index) && readOwn(self, index, at) === args[0]) return index;
  return -1;
};

const lastIndexOf: Method<object> = (run, self, args, at) => {
  const length = lengthOf(self);
  charge(run, length, at);
  const from = args.length > 1 ? toInteger(run, args[1], at) : length - 1;
  for (let index = from < 0 ? length + from : Math.min(from, length - 1); index >= 0; index--)
    if (hasOwnKey(self, index) && readOwn(self, index, at) === args[0]) return index;
  return -1;
};

/** The elements as a dense array of ours. */
export const elementsOf = (run: Run, array: object, at: Site, start = 0, end = lengthOf(array)): unknown[] => {
  const result: unknown[] = [];
  roomForItems(run, Math.max(0, end - start), at);
  for (let index = start; index < end; index++) result.push(readOwn(array, index, at));
  return result;
};

const slice: Method<object> = (run, self, args, at) => {
  const length = lengthOf(self);
  const start = clamp(run, args[0], length, 0, at);
  return elementsOf(run, self, at, start, clamp(run, args[1], length, length, at));
};

const append = (run: Run, result: unknown[], value: unknown, at: Site): void => {
  if (result.length >= run.limits.outputArrayLength) roomForItems(run, result.length + 1, at);
  result.push(value);
};

const concat: Method<object> = (run, self, args, at) => {
  const result = elementsOf(run, self, at);
  for (const arg of args)
    if (Array.isArray(arg)) for (const element of elementsOf(run, arg, at)) append(run, result, element, at);
    else append(run, result, arg, at);
  return result;
};

const flatten = (run: Run, result: unknown[], array: object, depth: number, nesting: number, at: Site): void => {
  if (nesting > run.limits.depth) fail('limit.depth', at, 'Arrays are nested too deeply');
  const length = lengthOf(array);
  charge(run, length, at);
  for (let index = 0; index < length; index++) {
    if (!hasOwnKey(array, index)) continue;
    const element = readOwn(array, index, at);
    if (depth >= 1 && Array.isArray(element)) flatten(run, result, element, depth - 1, nesting + 1, at);
    else append(run, result, element, at);
  }
};

const flat: Method<object> = (run, self, args, at) => {
  const result: unknown[] = [];
  flatten(run, result, self, args[0] === undefined ? 1 : toInteger(run, args[0], at), 1, at);
  return result;
};

const flatMap: Method<object> = (run, self, args, at) => {
  const result: unknown[] = [];
  each(run, self, args, at, (made) => {
    if (Array.isArray(made)) flatten(run, result, made, 0, 1, at);
    else append(run, result, made, at);
    return false;
  });
  return result;
};

const replaceAt: Method<object> = (run, self, args, at) => {
  const length = lengthOf(self);
  const relative = toInteger(run, args[0], at);
  const index = relative < 0 ? length + relative : relative;
  if (index < 0 || index >= length) fail('eval.range', at, `No index ${relative} in an array of ${length}`);
  const result = elementsOf(run, self, at);
  result[index] = args[1];
  return result;
};

const toSpliced: Method<object> = (run, self, args, at) => {
  const length = lengthOf(self);
  const start = clamp(run, args[0], length, 0, at);
  const wanted = args.length === 0 ? 0 : args.length === 1 ? length - start : toInteger(run, args[1], at);
  const removed = Math.min(Math.max(0, wanted), length - start);
  const result = elementsOf(run, self, at, 0, start);
  for (const arg of args.slice(2)) append(run, result, arg, at);
  for (const element of elementsOf(run, self, at, start + removed)) append(run, result, element, at);
  return result;
};

const joined: Method<object> = (run, self, _args, at) => joinArray(run, self, ',', at);

export const ARRAY_METHODS: Readonly<Record<string, Method<object>>> = {
  at: (run, self, args, at) => {
    const index = toInteger(run, args[0], at);
    const position = index < 0 ? lengthOf(self) + index : index;
    return position < 0 || position >= lengthOf(self) ? undefined : readOwn(self, position, at);
  },
  concat,
  every,
  filter,
  find: finding(false, false),
  findIndex: finding(false, true),
  findLast: finding(true, false),
  findLastIndex: finding(true, true),
  flat,
  flatMap,
  includes: (run, self, args, at) => includes(run, self, args[0], clamp(run, args[1], lengthOf(self), 0, at), at),
  indexOf,
  join: (run, self, args, at) => joinArray(run, self, args[0] === undefined ? ',' : toText(run, args[0], at), at),
  lastIndexOf,
  map,
  reduce: reducing(false),
  reduceRight: reducing(true),
  slice,
  some,
  toReversed: (run, self, _args, at) => elementsOf(run, self, at).reverse(),
  toSorted: (run, self, args, at) =>
    sortArray(run, elementsOf(run, self, at), args[0] === undefined ? undefined : callback(args[0], at), at),
  toSpliced,
  toString: joined,
  with: replaceAt,
};

/** The methods whose first argument may be a lambda. */
export const LAMBDA_METHODS: ReadonlySet<string> = new Set([
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'map',
  'reduce',
  'reduceRight',
  'some',
  'toSorted',
]);
