import { BINARY } from '../operators.ts';
import { type Site, charge, chargeSlowText, limit } from '../run.ts';
import { type Before, type Kinds, type Method, natives } from './native.ts';

/** A search may look at every pair of characters; so many belong to the call. */
export const SEARCH_PAIRS = 2048;

const chargeSearch = (self: string, [part]: readonly (string | undefined)[], at: Site): void => {
  const pairs = self.length * `${part}`.length;
  if (pairs > SEARCH_PAIRS) charge(Math.floor(pairs / 256), at);
};

const chargePart = (_self: string, [part]: readonly (string | undefined)[], at: Site): void =>
  charge(`${part}`.length >> 6, at);

/** Some characters become eighteen. */
const chargeNormalize = (self: string, _args: unknown, at: Site): void => {
  limit('outputStringLength', self.length, at);
  charge(self.length, at);
};

export const chargeSlow = (self: string, _args: unknown, at: Site): void => {
  limit('outputStringLength', self.length, at);
  chargeSlowText(self.length, at);
};

const roomForPadding = (_self: string, [length, fill]: readonly unknown[], at: Site): void => {
  if (fill !== '') limit('outputStringLength', length as number, at);
};

const roomForCopies = (self: string, [count]: readonly number[], at: Site): void => {
  if (count! < Infinity) limit('outputStringLength', self.length * Math.trunc(count!), at);
};

const prepareSplit = (self: string, args: unknown[], at: Site): void => {
  const [separator, most = -1] = args as [string?, number?];
  chargeSearch(self, [separator], at);
  // One more than may be: that there are too many is known without making all of them.
  args[1] = Math.min(most >>> 0, at.run.limits.outputArrayLength + 1);
};

/** A template becomes a function that makes nothing that is too long. */
const prepareReplace = (self: string, args: unknown[], at: Site): void => {
  const [part, template] = [String(args[0]), String(args[1])];
  chargeSearch(self, [part], at);
  const pieces = template.split(/(\$[$&`'])/);
  const fill = (piece: string, position: number): string => {
    switch (piece) {
      case '$$':
        return '$';
      case '$&':
        return part;
      case '$`':
        return self.slice(0, position);
      case "$'":
        return self.slice(position + part.length);
      default:
        return piece;
    }
  };
  let length = 0;
  args[1] = (_: string, position: number): string => {
    charge(4 + 2 * pieces.length, at);
    let made = '';
    for (const piece of pieces) {
      made += fill(piece, position);
      limit('outputStringLength', length + made.length, at);
    }
    length += made.length;
    return made;
  };
};

const string = <Names extends string>(names: Names, kinds?: Kinds, before?: Before) =>
  natives(String.prototype, names, kinds, before);

export const STRING_METHODS = {
  ...string('at charAt charCodeAt codePointAt slice substring', 'number number'),
  ...string('endsWith startsWith', 'part number', chargePart),
  ...string('includes indexOf lastIndexOf', 'part number', chargeSearch),
  ...string('isWellFormed toLowerCase toUpperCase toWellFormed trim trimEnd trimStart', '', chargeSlow),
  ...string('normalize', 'text', chargeNormalize),
  ...string('padEnd padStart', 'number text', roomForPadding),
  ...string('repeat', 'number', roomForCopies),
  ...string('replace replaceAll', 'part text', prepareReplace),
  ...string('split', 'part number', prepareSplit),
  ...string('toString valueOf'),
  concat: ((self, args, at) => args.reduce((text, arg) => BINARY['+'](text, arg, at), self)) satisfies Method,
};
