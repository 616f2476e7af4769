import { lookUp } from '../../tree/look-up.ts';
import { SHORT, findMethod } from '../access.ts';
import type { MethodCall } from '../plan/operation.ts';
import { roomForItems } from '../run.ts';
import { LISTS, type ListCall, includesPlain } from './lists.ts';
import { SEARCH_PAIRS } from './string.ts';

/** A call with all of its arguments at hand, two at most: the short way for common data, else the method itself. */
export type QuickCall = (self: unknown, call: MethodCall, a?: unknown, b?: unknown) => unknown;

export const callMethod: QuickCall = (self, call, a, b) => {
  const method = findMethod(self, call);
  return method === SHORT ? SHORT : method(self, [a, b].slice(0, call.args.length), call);
};

const isShort = (self: unknown, call: MethodCall): self is string =>
  typeof self === 'string' && self.length <= call.shortText;

const isIndex = (value: unknown): value is number | undefined => typeof value === 'number' || value === undefined;

/** A search of which nothing is charged. */
const isCheap = (self: string, part: unknown, place: unknown): part is string =>
  typeof part === 'string' && self.length * part.length <= SEARCH_PAIRS && place === undefined;

/** Without arguments, or with numbers, for texts; each is written out so that engines see which method it is. */
const TEXTS: Readonly<Record<string, QuickCall>> = {
  toLowerCase: (self, call, a, b) => (isShort(self, call) ? self.toLowerCase() : callMethod(self, call, a, b)),
  toUpperCase: (self, call, a, b) => (isShort(self, call) ? self.toUpperCase() : callMethod(self, call, a, b)),
  trim: (self, call, a, b) => (isShort(self, call) ? self.trim() : callMethod(self, call, a, b)),
  slice: (self, call, a, b) =>
    isShort(self, call) && isIndex(a) && isIndex(b) ? self.slice(a, b) : callMethod(self, call, a, b),
  startsWith: (self, call, a, b) =>
    typeof self === 'string' && isCheap(self, a, b) ? self.startsWith(a) : callMethod(self, call, a, b),
  endsWith: (self, call, a, b) =>
    typeof self === 'string' && isCheap(self, a, b) ? self.endsWith(a) : callMethod(self, call, a, b),
  indexOf: (self, call, a, b) =>
    typeof self === 'string' && isCheap(self, a, b) ? self.indexOf(a) : callMethod(self, call, a, b),
  includes: (self, call, a, b) =>
    typeof self === 'string' && isCheap(self, a, b) ? self.includes(a) : callMethod(self, call, a, b),
  split: (self, call, a, b) => {
    if (!isShort(self, call) || !isCheap(self, a, b)) return callMethod(self, call, a, b);
    const parts = self.split(a);
    roomForItems(parts.length, call);
    return parts;
  },
};

/** Engines know a constant of this module better than one of another. */
const includesIn = includesPlain;

/** For lists too, where no object has accessors. */
const PLAIN: Readonly<Record<string, QuickCall>> = {
  ...TEXTS,
  includes: (self, call, a, b) => {
    if (typeof self === 'string' && isCheap(self, a, b)) return self.includes(a);
    if (!Array.isArray(self) || call.args.length !== 1) return callMethod(self, call, a, b);
    return includesIn(self, a, call);
  },
};

export const findQuick = (call: MethodCall, plain: boolean): QuickCall | undefined =>
  call.args.length <= 2 ? lookUp(plain ? PLAIN : TEXTS, call.name) : undefined;

/** Whether it does not matter that arguments are evaluated before it is known that the receiver has the method. */
export const takesConstants = ({ args }: MethodCall): boolean =>
  args.every(({ kind }) => kind === 'Constant' || kind === 'Lambda');

/** Of a call whose first argument is a lambda. */
export const findListCall = ({ name, args }: MethodCall): ListCall | undefined =>
  args[0]?.kind === 'Lambda' && args.length === (name === 'reduce' ? 2 : 1) ? lookUp<ListCall>(LISTS, name) : undefined;
