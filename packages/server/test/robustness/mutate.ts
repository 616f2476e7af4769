import { type Random } from '@assay/testkit';

/** Stands in a value for a text that JSON.stringify would not write; `hostileText` puts it there. */
const RAW: Readonly<Record<string, string>> = {
  '<1e999>': '1e999',
  '<-1e999>': '-1e999',
  '<long number>': '9'.repeat(400),
  '<long fraction>': `0.${'1'.repeat(400)}`,
  '<deep array>': '['.repeat(90) + ']'.repeat(90),
  '<too deep array>': '['.repeat(3_000) + ']'.repeat(3_000),
  '<deep object>': '{"steps":['.repeat(2_000) + ']}'.repeat(2_000),
  '<deep steps>': '[{"title":"s","steps":'.repeat(300) + '[]' + '}]'.repeat(300),
  '<__proto__>': '{"__proto__":{"title":"polluted","status":"polluted"},"constructor":{"prototype":{"x":1}}}',
  '<same key twice>': '{"title":"a","title":7,"status":"passed","status":"failed"}',
};

const HOSTILE: readonly unknown[] = [
  ...Object.keys(RAW),
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e-320,
  2 ** 31,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_VALUE,
  '',
  ' ',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff\ud800x',
  '\u{1f4a9}'.repeat(50),
  '\u202e\ufeff\u2028',
  "'; DROP TABLE runs; --",
  '%s%n%00',
  '../../../../etc/passwd',
  'C:\\a\\b.ts:3:1',
  'a:999999999999999999999:1',
  ':1:1',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  'x'.repeat(201),
  'y'.repeat(5_000),
  'z'.repeat(100_000),
  'http://[::1',
  'https://user:pass@shop.test:99999/a?b=c#d',
  [],
  [null],
  [[[[]]]],
  {},
  { title: 'x' },
  { length: 3 },
  { toString: 1, valueOf: null },
  Array.from({ length: 300 }, (_, index) => index),
];

/** A copy, for it may be changed in its turn. */
const hostile = (random: Random): unknown => structuredClone(random.pick(HOSTILE));

const HOSTILE_KEYS = ['__proto__', 'constructor', 'toString', 'length', '', '\u0000', '\ud800', '0', 'k'.repeat(3_000)];

export const hostileText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"<[^"]{1,30}>"/g, (marker) => RAW[marker.slice(1, -1)] ?? marker);

type Container = Record<string, unknown> | unknown[];
interface Place {
  readonly within: Container;
  readonly key: string;
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const placesIn = (value: unknown): Place[] =>
  isContainer(value)
    ? Object.keys(value).flatMap((key) => [{ within: value, key }, ...placesIn(fieldsOf(value)[key])])
    : [];

/** An array is an object of its indexes here. */
const fieldsOf = (container: Container): Record<string, unknown> => container as Record<string, unknown>;

/** A copy with a few of its values deleted, doubled, replaced, wrapped, renamed or moved. */
export const mutateValue = (random: Random, original: unknown): unknown => {
  const value = structuredClone(original);
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--) {
    const places = placesIn(value);
    if (places.length > 0) mutateAt(random, random.pick(places), places);
  }
  return value;
};

const mutateAt = (random: Random, { within, key }: Place, places: readonly Place[]): void => {
  const fields = fieldsOf(within);
  switch (
    random.pick(['delete', 'double', 'replace', 'replace', 'replace', 'wrap', 'rename', 'move', 'add'] as const)
  ) {
    case 'delete':
      if (Array.isArray(within)) within.splice(Number(key), 1);
      else delete within[key];
      break;
    case 'double':
      if (Array.isArray(within)) within.push(structuredClone(within[Number(key)]));
      else define(within, `${key}${key}`, structuredClone(within[key]));
      break;
    case 'replace':
      fields[key] = hostile(random);
      break;
    case 'wrap':
      fields[key] = random.chance(0.5) ? [fields[key]] : { [key]: fields[key] };
      break;
    case 'rename':
      if (Array.isArray(within)) within.reverse();
      else {
        define(within, random.pick(HOSTILE_KEYS), within[key]);
        delete within[key];
      }
      break;
    case 'move': {
      const from = random.pick(places);
      fields[key] = structuredClone(fieldsOf(from.within)[from.key]);
      break;
    }
    case 'add':
      if (Array.isArray(within)) within.push(hostile(random));
      else define(within, random.pick(HOSTILE_KEYS), hostile(random));
  }
};

/** An own property, whatever its name. */
const define = (target: object, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
};

/** The bytes with some of them turned, cut off, doubled, or with others put in between. */
export const mutateBytes = (random: Random, original: Uint8Array): Uint8Array => {
  let bytes = Buffer.from(original);
  for (let left = random.integer(1, 4); left > 0; left--) {
    const at = random.integer(0, bytes.length);
    const to = Math.min(bytes.length, at + random.integer(0, 40));
    const cuts = {
      flip: () =>
        Buffer.concat([bytes.subarray(0, at), invert(random, bytes.subarray(at, at + 1)), bytes.subarray(at + 1)]),
      insert: () => Buffer.concat([bytes.subarray(0, at), randomBytes(random, 8), bytes.subarray(at)]),
      remove: () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]),
      double: () => Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]),
      cut: () => Buffer.from(bytes.subarray(0, at)),
      broken: () => Buffer.concat([bytes.subarray(0, at), random.pick(BROKEN_UTF8), bytes.subarray(at)]),
    };
    bytes = cuts[random.pick(['flip', 'flip', 'insert', 'remove', 'double', 'cut', 'broken'] as const)]();
  }
  return bytes;
};

const BROKEN_UTF8 = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xef, 0xbb, 0xbf],
].map((bytes) => Buffer.from(bytes));

const invert = (random: Random, bytes: Uint8Array): Uint8Array =>
  bytes.map((byte) => byte ^ (1 << random.integer(0, 7)));

export const randomBytes = (random: Random, longest: number): Uint8Array =>
  Uint8Array.from({ length: random.integer(0, longest) }, () => random.integer(0, 255));
