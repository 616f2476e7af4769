import {
  type Run,
  type Site,
  charge,
  chargeSlowText,
  fail,
  limitText,
  madeText,
  roomForItems,
  roomForText,
} from '../run.ts';
import { toInteger, toNumber, toText, typeOf } from '../value.ts';

/** A method or function that trees may call. Lambdas come as functions of ours. */
export type Method<Receiver = unknown> = (run: Run, self: Receiver, args: readonly unknown[], at: Site) => unknown;

/** A text argument; a regular expression is no text here, as ECMAScript would treat it in another way. */
const text = (run: Run, value: unknown, at: Site): string =>
  typeOf(value) === 'regexp'
    ? fail('eval.type', at, 'A regular expression where a text is wanted')
    : toText(run, value, at);

/** A search may look at every pair of characters. */
const chargeSearch = (run: Run, self: string, part: string, at: Site): void => {
  const pairs = self.length * part.length;
  if (pairs >= SEARCH_UNIT) charge(run, Math.floor(pairs / SEARCH_UNIT), at);
};
export const SEARCH_UNIT = 4096;

type Native = (...args: unknown[]) => unknown;

/** A method of the engine's strings for each name. */
const natives = <Name extends string>(
  names: readonly Name[],
  make: (call: (self: string, ...args: unknown[]) => unknown) => Method<string>,
): Record<Name, Method<string>> =>
  Object.fromEntries(
    names.map((name) => [name, make((self, ...args) => (self as unknown as Record<string, Native>)[name]!(...args))]),
  ) as Record<Name, Method<string>>;

const optionalInteger = (run: Run, value: unknown, at: Site): number | undefined =>
  value === undefined ? undefined : toInteger(run, value, at);

const repeat: Method<string> = (run, self, args, at) => {
  const count = toInteger(run, args[0], at);
  if (count < 0 || count === Infinity) fail('eval.range', at, `A text cannot be repeated ${count} times`);
  if (self === '') return '';
  roomForText(run, self.length * count, at);
  return self.repeat(count);
};

const concat: Method<string> = (run, self, args, at) => {
  let result = self;
  for (const arg of args) {
    const part = toText(run, arg, at);
    roomForText(run, result.length + part.length, at);
    result += part;
  }
  return result;
};

const split: Method<string> = (run, self, args, at) => {
  const limit = args[1] === undefined ? Infinity : toNumber(run, args[1], at) >>> 0;
  const separator = args[0] === undefined ? undefined : text(run, args[0], at);
  if (limit === 0) return [];
  if (separator === undefined) return [self];
  chargeSearch(run, self, separator, at);
  // One more than may be: that there are too many is known without making all of them.
  const parts = self.split(separator, Math.min(limit, run.limits.outputArrayLength + 1));
  roomForItems(run, parts.length, at);
  return parts;
};

/** `$$`, `$&`, `` $` `` and `$'` of a replacement. */
const expand = (template: string, self: string, part: string, position: number): string[] =>
  template
    .split(/(\$[$&`'])/)
    .map((piece, at) =>
      at % 2 === 0
        ? piece
        : ({ $$: '$', '$&': part, '$`': self.slice(0, position) }[piece] ?? self.slice(position + part.length)),
    );

const replacing =
  (all: boolean): Method<string> =>
  (run, self, args, at) => {
    const part = text(run, args[0], at);
    const template = toText(run, args[1], at);
    chargeSearch(run, self, part, at);
    let result = '';
    let from = 0;
    let position = self.indexOf(part);
    while (position !== -1) {
      charge(run, 1 + (template.length >> 6), at);
      result += self.slice(from, position);
      for (const piece of expand(template, self, part, position)) {
        limitText(run, result.length + piece.length, at);
        result += piece;
      }
      from = position + part.length;
      const next = part === '' ? position + 1 : from;
      if (!all || next > self.length) break;
      position = self.indexOf(part, next);
    }
    return madeText(run, result + self.slice(from), at);
  };

const normalize: Method<string> = (run, self, args, at) => {
  const form = args[0] === undefined ? 'NFC' : toText(run, args[0], at);
  if (!/^NFK?[CD]$/.test(form)) fail('eval.range', at, `No normal form ${form.slice(0, 20)}`);
  limitText(run, self.length, at);
  chargeSlowText(run, self.length, at);
  return madeText(run, self.normalize(form), at);
};

const whole: Method<string> = (_run, self) => self;

export const STRING_METHODS = {
  ...natives(
    ['at', 'charAt', 'charCodeAt', 'codePointAt', 'slice', 'substring'],
    (call) => (run, self, args, at) => call(self, toInteger(run, args[0], at), optionalInteger(run, args[1], at)),
  ),
  ...natives(['endsWith', 'includes', 'indexOf', 'lastIndexOf', 'startsWith'], (call) => (run, self, args, at) => {
    const part = text(run, args[0], at);
    const position = args[1] === undefined ? undefined : toNumber(run, args[1], at);
    chargeSearch(run, self, part, at);
    return call(self, part, position);
  }),
  ...natives(
    ['isWellFormed', 'toLowerCase', 'toUpperCase', 'toWellFormed', 'trim', 'trimEnd', 'trimStart'],
    (call) => (run, self, _args, at) => {
      limitText(run, self.length, at);
      chargeSlowText(run, self.length, at);
      const made = call(self);
      return typeof made === 'string' ? madeText(run, made, at) : made;
    },
  ),
  ...natives(['padEnd', 'padStart'], (call) => (run, self, args, at) => {
    const length = toInteger(run, args[0], at);
    const fill = args[1] === undefined ? ' ' : toText(run, args[1], at);
    if (length <= self.length || fill === '') return self;
    roomForText(run, length, at);
    return call(self, length, fill);
  }),
  concat,
  normalize,
  repeat,
  replace: replacing(false),
  replaceAll: replacing(true),
  split,
  toString: whole,
  valueOf: whole,
};
