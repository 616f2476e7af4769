import { toInteger, toNumber, toText, typeOf } from './eval-value.ts';
import { type Run, type Site, charge, fail, limitText, madeText, roomForItems, roomForText } from './run.ts';

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

const search =
  (
    find: (self: string, part: string, position: number) => unknown,
    fallback: (self: string) => number,
  ): Method<string> =>
  (run, self, args, at) => {
    const part = text(run, args[0], at);
    const position = args[1] === undefined ? fallback(self) : toInteger(run, args[1], at);
    chargeSearch(run, self, part, at);
    return find(self, part, position);
  };

const numbered =
  (read: (self: string, position: number) => unknown): Method<string> =>
  (run, self, args, at) =>
    read(self, toInteger(run, args[0], at));

const mapped =
  (make: (self: string) => string): Method<string> =>
  (run, self, _args, at) => {
    roomForText(run, self.length, at);
    return madeText(run, make(self), at);
  };

const sliced =
  (cut: (self: string, start: number, end: number | undefined) => string): Method<string> =>
  (run, self, args, at) => {
    const start = toInteger(run, args[0], at);
    return cut(self, start, args[1] === undefined ? undefined : toInteger(run, args[1], at));
  };

const padded =
  (pad: (self: string, length: number, fill: string) => string): Method<string> =>
  (run, self, args, at) => {
    const length = toInteger(run, args[0], at);
    const fill = args[1] === undefined ? ' ' : toText(run, args[1], at);
    if (length <= self.length || fill === '') return self;
    roomForText(run, length, at);
    return pad(self, length, fill);
  };

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
  if (args[0] === undefined) return limit === 0 ? [] : [self];
  const separator = text(run, args[0], at);
  if (limit === 0) return [];
  chargeSearch(run, self, separator, at);
  const parts: string[] = [];
  if (separator === '') {
    const count = Math.min(self.length, limit);
    roomForItems(run, count, at);
    for (let index = 0; index < count; index++) parts.push(self.charAt(index));
    return parts;
  }
  let start = 0;
  for (;;) {
    const end = self.indexOf(separator, start);
    parts.push(self.slice(start, end === -1 ? undefined : end));
    roomForItems(run, parts.length === 1 ? 1 : 0, at);
    if (parts.length > run.limits.outputArrayLength)
      fail('limit.outputArrayLength', at, `An array of more than ${run.limits.outputArrayLength} elements`);
    if (end === -1 || parts.length >= limit) break;
    start = end + separator.length;
  }
  charge(run, parts.length, at);
  return parts;
};

/** `$$`, `$&`, `` $` `` and `$'` of a replacement. */
const expand = (template: string, self: string, part: string, position: number): string[] => {
  if (!template.includes('$')) return [template];
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const dollar = template.indexOf('$', from);
    if (dollar === -1) break;
    const sign = template.charAt(dollar + 1);
    const known = sign === '$' || sign === '&' || sign === '`' || sign === "'";
    pieces.push(template.slice(from, known ? dollar : dollar + 1));
    if (sign === '$') pieces.push('$');
    else if (sign === '&') pieces.push(part);
    else if (sign === '`') pieces.push(self.slice(0, position));
    else if (sign === "'") pieces.push(self.slice(position + part.length));
    from = dollar + (known ? 2 : 1);
  }
  pieces.push(template.slice(from));
  return pieces;
};

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

const FORMS: ReadonlySet<string> = new Set(['NFC', 'NFD', 'NFKC', 'NFKD']);

const normalize: Method<string> = (run, self, args, at) => {
  const form = args[0] === undefined ? 'NFC' : toText(run, args[0], at);
  if (!FORMS.has(form)) fail('eval.range', at, `No normal form ${form.slice(0, 20)}`);
  roomForText(run, self.length, at);
  return madeText(run, self.normalize(form), at);
};

const zero = (): number => 0;
const whole: Method<string> = (_run, self) => self;

export const STRING_METHODS: Readonly<Record<string, Method<string>>> = {
  at: numbered((self, position) => self.at(position)),
  charAt: numbered((self, position) => self.charAt(position)),
  charCodeAt: numbered((self, position) => self.charCodeAt(position)),
  codePointAt: numbered((self, position) => self.codePointAt(position)),
  concat,
  endsWith: search(
    (self, part, end) => self.endsWith(part, end),
    (self) => self.length,
  ),
  includes: search((self, part, from) => self.includes(part, from), zero),
  indexOf: search((self, part, from) => self.indexOf(part, from), zero),
  lastIndexOf: (run, self, args, at) => {
    const part = text(run, args[0], at);
    const position = toNumber(run, args[1], at);
    chargeSearch(run, self, part, at);
    return self.lastIndexOf(part, position);
  },
  isWellFormed: (run, self, _args, at) => {
    roomForText(run, self.length, at);
    return self.isWellFormed();
  },
  normalize,
  padEnd: padded((self, length, fill) => self.padEnd(length, fill)),
  padStart: padded((self, length, fill) => self.padStart(length, fill)),
  repeat,
  replace: replacing(false),
  replaceAll: replacing(true),
  slice: sliced((self, start, end) => self.slice(start, end)),
  split,
  startsWith: search((self, part, from) => self.startsWith(part, from), zero),
  substring: sliced((self, start, end) => self.substring(start, end)),
  toLowerCase: mapped((self) => self.toLowerCase()),
  toString: whole,
  toUpperCase: mapped((self) => self.toUpperCase()),
  toWellFormed: mapped((self) => self.toWellFormed()),
  trim: mapped((self) => self.trim()),
  trimEnd: mapped((self) => self.trimEnd()),
  trimStart: mapped((self) => self.trimStart()),
  valueOf: whole,
};
