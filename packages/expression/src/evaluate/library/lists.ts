import { chargeEquality } from '../operators.ts';
import { FREE_ITEMS, LONG_TEXT, type Site, charge, roomForItems } from '../run.ts';
import { checked, findOwn } from '../value.ts';

export const HOLE: unique symbol = Symbol();

/** An element, or HOLE where there is none. */
type ReadElement = (list: readonly unknown[], index: number, at: Site) => unknown;

export const readElement: ReadElement = (list, index, at) => {
  const found = findOwn(list, index, at);
  return found ? checked(found.value, at) : HOLE;
};

/** The same where no element is an accessor. */
export const readPlainElement: ReadElement = (list, index, at) => {
  const element = list[index];
  // Most are one of these: a single look at their type is enough.
  if (typeof element === 'object' || typeof element === 'string' || typeof element === 'number') return element;
  if (element === undefined) return Object.hasOwn(list, index) ? undefined : HOLE;
  return checked(element, at);
};

const orUndefined = (element: unknown): unknown => (element === HOLE ? undefined : element);

const chargeElements = (list: readonly unknown[], at: Site): void => {
  if (list.length > FREE_ITEMS) charge(2 * list.length, at);
};

/** A lambda, and what it is given besides the element: the same for all of them, so that no function is made for a call. */
export type Each<Context> = (context: Context, ...args: readonly unknown[]) => unknown;

export type ListCall = <Context>(
  list: readonly unknown[],
  each: Each<Context>,
  context: Context,
  at: Site,
  read: ReadElement,
  start?: unknown,
) => unknown;

/** Methods that take a lambda. They are short, so that engines inline them. */
export const LISTS = {
  some: (list, each, context, at, read) => {
    chargeElements(list, at);
    for (let index = 0; index < list.length; index++) {
      const element = read(list, index, at);
      if (element !== HOLE && each(context, element, index, list)) return true;
    }
    return false;
  },
  every: (list, each, context, at, read) => {
    chargeElements(list, at);
    for (let index = 0; index < list.length; index++) {
      const element = read(list, index, at);
      if (element !== HOLE && !each(context, element, index, list)) return false;
    }
    return true;
  },
  find: (list, each, context, at, read) => {
    chargeElements(list, at);
    for (let index = 0; index < list.length; index++) {
      const element = orUndefined(read(list, index, at));
      if (each(context, element, index, list)) return element;
    }
    return undefined;
  },
  findIndex: (list, each, context, at, read) => {
    chargeElements(list, at);
    for (let index = 0; index < list.length; index++)
      if (each(context, orUndefined(read(list, index, at)), index, list)) return index;
    return -1;
  },
  filter: (list, each, context, at, read) => {
    chargeElements(list, at);
    const kept: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      const element = read(list, index, at);
      if (element !== HOLE && each(context, element, index, list)) kept.push(element);
    }
    roomForItems(kept.length, at);
    return kept;
  },
  map: (list, each, context, at, read) => {
    roomForItems(list.length, at);
    chargeElements(list, at);
    const made: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      const element = read(list, index, at);
      if (element === HOLE) made.length = index + 1;
      else made.push(each(context, element, index, list));
    }
    return made;
  },
  reduce: (list, each, context, at, read, start) => {
    chargeElements(list, at);
    let value = start;
    for (let index = 0; index < list.length; index++) {
      const element = read(list, index, at);
      if (element !== HOLE) value = each(context, value, element, index, list);
    }
    return value;
  },
} satisfies Readonly<Record<string, ListCall>>;

/** Whether more than identity must be asked of each element, or its cost counted. */
const isCostly = (needle: unknown): boolean =>
  typeof needle === 'string' ? needle.length >= LONG_TEXT : Number.isNaN(needle);

export const includes = (list: readonly unknown[], needle: unknown, at: Site, read: ReadElement): boolean => {
  chargeElements(list, at);
  if (isCostly(needle)) return LISTS.some(list, (sought, element) => isSame(element, sought, at), needle, at, read);
  for (let index = 0; index < list.length; index++) if (orUndefined(read(list, index, at)) === needle) return true;
  return false;
};

/** The same where no element is an accessor. */
export const includesPlain = (list: readonly unknown[], needle: unknown, at: Site): boolean => {
  if (isCostly(needle)) return includes(list, needle, at, readPlainElement);
  chargeElements(list, at);
  for (let index = 0; index < list.length; index++) {
    const element = list[index];
    if (element === needle) return true;
    if (typeof element !== 'string') checked(element, at);
  }
  return false;
};

const isSame = (element: unknown, needle: unknown, at: Site): boolean => {
  chargeEquality(element, needle, at);
  return element === needle || (Number.isNaN(needle) && Number.isNaN(element));
};
