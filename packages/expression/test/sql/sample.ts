import fc from 'fast-check';
import type { Catalogue } from '../../src/index.ts';
import type { Row } from './databases.ts';

export const CATALOGUE: Catalogue = {
  fields: {
    title: { type: 'string' },
    note: { type: 'string', nullable: true, column: 'a "note"' },
    status: { type: 'enum', values: ['passed', 'failed', 'skipped'] },
    cause: { type: 'enum', values: ['product', 'test'], nullable: true },
    duration: { type: 'duration' },
    retries: { type: 'number', nullable: true },
    ratio: { type: 'number' },
    flaky: { type: 'boolean' },
    muted: { type: 'boolean', nullable: true },
    startedAt: { type: 'date', column: 'started_at' },
    endedAt: { type: 'date', nullable: true },
    tags: { type: 'strings' },
    labels: { type: 'strings', nullable: true },
    attempts: { type: 'number', stored: 'integer' },
    exit: { type: 'number', stored: 'integer', nullable: true },
    updatedAt: { type: 'date', stored: 'timestamptz', column: 'updated_at' },
    closedAt: { type: 'date', stored: 'timestamptz', nullable: true },
    author: {
      type: 'object',
      fields: {
        name: { type: 'string' },
        team: { type: 'string', nullable: true },
        age: { type: 'number' },
        admin: { type: 'boolean' },
        since: { type: 'date', nullable: true },
        tags: { type: 'strings' },
        boss: { type: 'object', nullable: true, fields: { name: { type: 'string' } } },
      },
    },
    reviewer: { type: 'object', nullable: true, column: 'reviewed by', fields: { name: { type: 'string' } } },
    scores: { type: 'list', items: { type: 'number' } },
    steps: {
      type: 'list',
      nullable: true,
      items: { type: 'object', fields: { title: { type: 'string' }, ms: { type: 'number', nullable: true } } },
    },
  },
};

const TEXTS = [
  '',
  'a',
  'A',
  'b',
  'login',
  'LOGIN',
  'Login failed',
  'xloginx',
  'é',
  'e\u0301',
  'É',
  'ß',
  'SS',
  '😀',
  'a😀b',
  '😀😀',
  '\u212Aelvin',
  'kelvin',
  '\u0130stanbul',
  'i\u0307stanbul',
  '\u0131',
  '\uFFFD',
  '\uE000x',
  '\uFF5Ex',
  'z',
  'Z',
  '10',
  '5',
  'null',
  'undefined',
  'true',
  'failed',
  'passed',
  '%',
  '_',
  '%a_',
  '\\',
  '\'"',
  '\uFB01n',
  '\u0391\u03A3',
  ' \u00A0 ',
  'line\nbreak',
  'tab\t',
  '日本',
  '🏳️‍🌈',
  '\u{10FFFF}',
  '0',
  '-1',
  '--',
  '/*',
  '?',
  '$1',
  '*',
  '[a-z]',
];

export const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  0.5,
  2.5,
  -2.5,
  0.1,
  0.2,
  0.3,
  1000,
  2500,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 31,
  1e16,
  123_456.789,
  1e308,
  -1e308,
  1.7e308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  5e-324,
  -5e-324,
  1e-308,
  -1e-308,
  2e-320,
  1e154,
  1e155,
  1e-162,
  1e200,
  1e-200,
];

export const TIMES = [0, 1, -1, 1000, 1_700_000_000_000, 1_700_000_000_001, -62_135_596_800_000, 8.64e15];

export const textArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: 'grapheme', maxLength: 6 }).map(storable),
  fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)).map((pair) => pair.join('')),
);

/** No database holds a NUL or a lone surrogate in a text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export const numberArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NUMBERS) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 5 }),
);

const integerArbitrary = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1000),
);
/** JSON has no negative zero. */
const inJsonArbitrary = numberArbitrary.map((number) => number + 0);
const dateArbitrary = fc.constantFrom(...TIMES).map((time) => new Date(time));
const listArbitrary = fc.array(textArbitrary, { maxLength: 3 });
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 2 });

export const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  title: textArbitrary,
  note: orNull(textArbitrary),
  status: fc.constantFrom('passed', 'failed', 'skipped'),
  cause: orNull(fc.constantFrom('product', 'test')),
  duration: numberArbitrary,
  retries: orNull(numberArbitrary),
  ratio: numberArbitrary,
  flaky: fc.boolean(),
  muted: orNull(fc.boolean()),
  startedAt: dateArbitrary,
  endedAt: orNull(dateArbitrary),
  tags: listArbitrary,
  labels: orNull(listArbitrary),
  attempts: integerArbitrary,
  exit: orNull(integerArbitrary),
  updatedAt: dateArbitrary,
  closedAt: orNull(dateArbitrary),
  author: fc.record({
    name: textArbitrary,
    team: orNull(textArbitrary),
    age: inJsonArbitrary,
    admin: fc.boolean(),
    since: orNull(dateArbitrary),
    tags: listArbitrary,
    boss: orNull(fc.record({ name: textArbitrary })),
  }),
  reviewer: orNull(fc.record({ name: textArbitrary })),
  scores: fc.array(inJsonArbitrary, { maxLength: 3 }),
  steps: orNull(fc.array(fc.record({ title: textArbitrary, ms: orNull(inJsonArbitrary) }), { maxLength: 3 })),
});
