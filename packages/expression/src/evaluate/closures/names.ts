import { empty } from './builder.ts';

/** Reads a property of an object that inherits from Object.prototype or from nothing. */
type ReadPlain = (object: Readonly<Record<string, unknown>>) => unknown;

/** Given where Object.prototype has the name. As a symbol it is no value, so that whoever reads looks again. */
const UNREAD: unique symbol = Symbol();

/**
 * Engines remember for each place in the source which name is read there, and of which shapes; to read several names at one
 * place takes ten times as long. Generated code has a place for each name, closures share these.
 */
const PLACES: readonly ((name: string) => ReadPlain)[] = [
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
  (name) => (object) => (name in empty ? UNREAD : object[name]),
];

/** The names that have a place of their own; all others share the last. */
const placed: string[] = [];

export const readerOf = (name: string): ReadPlain => {
  if (placed.length < PLACES.length - 1 && !placed.includes(name)) placed.push(name);
  return PLACES.at(placed.indexOf(name))!(name);
};
