import { BINARY } from '../operators.ts';
import { type Site, charge, chargeSlowText, limit } from '../run.ts';
import { type Before, type Method, natives } from './native.ts';

/** A search may look at every pair of characters. */
export const SEARCH_UNIT = 4096;

const chargeSearch = (self: string, [part]: readonly (string | undefined)[], at: Site): void =>
  charge(Math.floor((self.length * `${part}`.length) / SEARCH_UNIT), at);

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
  let length = 0;
  args[1] = (_: string, position: number): string => {
    charge(1 + (template.length >> 6), at);
    let least = length;
    const made = template.replace(/\$[$&`']/g, (sign) => {
      const before = self.slice(0, position);
      const piece = { $$: '$', '$&': part, '$`': before, "$'": self.slice(position + part.length) }[sign]!;
      limit('outputStringLength', (least += piece.length), at);
      return piece;
    });
    limit('outputStringLength', (length += made.length), at);
    return made;
  };
};

const string = <Names extends string>(names: Names, kinds?: string, before?: Before) =>
  natives(String.prototype, names, kinds, before);

export const STRING_METHODS = {
  ...string('at charAt charCodeAt codePointAt slice substring', 'number number'),
  ...string('endsWith includes indexOf lastIndexOf startsWith', 'part number', chargeSearch),
  ...string('isWellFormed toLowerCase toUpperCase toWellFormed trim trimEnd trimStart', '', chargeSlow),
  ...string('normalize', 'text', chargeSlow),
  ...string('padEnd padStart', 'number text', roomForPadding),
  ...string('repeat', 'number', roomForCopies),
  ...string('replace replaceAll', 'part text', prepareReplace),
  ...string('split', 'part number', prepareSplit),
  ...string('toString valueOf'),
  concat: ((self, args, at) => args.reduce((text, arg) => BINARY['+'](text, arg, at), self)) satisfies Method,
};
