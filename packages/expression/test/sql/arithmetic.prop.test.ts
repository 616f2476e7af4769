import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Catalogue, parseText } from '../../src/index.ts';
import { compareWithMemory } from './agreement.ts';
import { type Row, postgresTable, sqliteTable } from './databases.ts';

const CATALOGUE: Catalogue = {
  fields: {
    a: { type: 'number' },
    b: { type: 'number' },
    sum: { type: 'number', nullable: true },
    difference: { type: 'number', nullable: true },
    product: { type: 'number', nullable: true },
    quotient: { type: 'number', nullable: true },
  },
};

/** Where results overflow or vanish: powers of two with a few last bits set. */
const edge = fc
  .tuple(fc.integer({ min: -1074, max: 1023 }), fc.integer({ min: 0, max: 3 }), fc.boolean())
  .map(([exponent, bits, negative]) => (negative ? -1 : 1) * (2 ** exponent * (1 + bits * Number.EPSILON)));

const pair = fc.oneof(
  fc.tuple(edge, edge),
  // Products, quotients and sums right at an edge.
  fc
    .tuple(edge, fc.constantFrom(-1075, -1074, 1023, 1024))
    .map(([a, at]): [number, number] => [a, (2 ** (at / 2) / a) * 2 ** (at / 2)]),
  fc
    .tuple(edge, fc.constantFrom(-1075, -1074, 1023, 1024))
    .map(([a, at]): [number, number] => [a, a / 2 ** (at / 2) / 2 ** (at / 2)]),
  fc.tuple(fc.constant(Number.MAX_VALUE), edge),
  fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1, 1e308, -1e308, 5e-324)),
);

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const row = pair
  .filter((numbers) => numbers.every(Number.isFinite))
  .map(([a, b]): Row => ({
    a,
    b,
    sum: finite(a + b),
    difference: finite(a - b),
    product: finite(a * b),
    quotient: finite(a / b),
  }));

const RESULTS = { sum: 't.a + t.b', difference: 't.a - t.b', product: 't.a * t.b', quotient: 't.a / t.b' };
const TESTS = [
  '=== Infinity',
  '=== -Infinity',
  '=== 0',
  '> 0',
  '!== NaN',
  '* 2 > 1',
  '/ 1e300 === 0',
  '* -1e300 < -1e300',
];

test('arithmetic is that of doubles where it overflows and where it vanishes', async () => {
  const rows = fc.sample(row, { numRuns: draws(200, 600), seed: 7 });
  await using sqlite = sqliteTable(CATALOGUE, rows);
  await using postgres = await postgresTable(CATALOGUE, rows);
  for (const table of [sqlite, postgres]) {
    for (const [name, text] of Object.entries(RESULTS)) {
      const exact = [`${text} === t.${name}`, `t.${name} !== null && 1 / (${text}) === 1 / t.${name}`];
      for (const source of [...exact, ...TESTS.map((rest) => `(${text}) ${rest}`)]) {
        const read = parseText(source);
        if (!read.ok) throw new Error(source);
        const { differences, matches } = await compareWithMemory(read.tree, CATALOGUE, table);
        expect(differences.slice(0, 3), source).toEqual([]);
        if (source === exact[0]) expect(matches).toHaveLength(table.rows.filter((item) => item[name] !== null).length);
      }
    }
  }
});
