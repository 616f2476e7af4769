import { isPlain } from '../access.ts';
import { isNoValue } from '../value.ts';
import { type Closure, empty } from './builder.ts';

/**
 * A closure that reads a property of what `base` gives, and leaves to `slow` what cannot be read plainly. An input is in a
 * slot, and another one says whether it may be.
 */
type ReadAtPlace = (
  name: string,
  base: Closure,
  slow: (object: unknown) => unknown,
  slot: number | undefined,
  plainSlot: number,
) => Closure;

/**
 * Engines remember for each place in the source which name is read there, and of which shapes; to read several names at one
 * place takes ten times as long. Generated code has a place for each name, closures share these: the same, eight times.
 */
const PLACES: readonly ReadAtPlace[] = [
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
  (name, base, slow, slot, plainSlot) =>
    slot === undefined
      ? (slots) => {
          const object = base(slots);
          if (isPlain(object) && !(name in empty)) {
            const value = object[name];
            if (!isNoValue(value)) return value;
          }
          return slow(object);
        }
      : (slots) => {
          if (slots[plainSlot] && !(name in empty)) {
            const value = (slots[slot] as Record<string, unknown>)[name];
            if (!isNoValue(value)) return value;
          }
          return slow(base(slots));
        },
];

/** The names that have a place of their own; all others share the last. */
const placed: string[] = [];

export const readAtPlace: ReadAtPlace = (name, ...rest) => {
  if (placed.length < PLACES.length - 1 && !placed.includes(name)) placed.push(name);
  return PLACES.at(placed.indexOf(name))!(name, ...rest);
};
