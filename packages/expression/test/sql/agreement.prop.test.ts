import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExpressionError, build, print } from '../../src/index.ts';
import type { Node } from '../../src/index.ts';
import { treeArbitrary } from '../arbitrary-tree.ts';
import { compareWithMemory } from './agreement.ts';
import { postgresTable, sqliteTable } from './databases.ts';
import type { Table } from './databases.ts';
import { predicateArbitrary } from './predicates.ts';
import { CATALOGUE, rowArbitrary } from './sample.ts';

const ROWS = 60;

let tables: Table[] = [];
const counts = { whole: 0, part: 0, none: 0 };

beforeAll(async () => {
  const rows = fc.sample(rowArbitrary, ROWS);
  tables = [sqliteTable(CATALOGUE, rows), await postgresTable(CATALOGUE, rows)];
});

afterAll(async () => {
  for (const table of tables) await table[Symbol.asyncDispose]();
});

const agrees = async (tree: Node): Promise<void> => {
  for (const table of tables) {
    const { predicate, differences } = await compareWithMemory(tree, CATALOGUE, table);
    expect(differences.slice(0, 2), print(tree)).toEqual([]);
    counts[predicate.residual === null ? 'whole' : predicate.sql === 'TRUE' ? 'none' : 'part']++;
  }
};

test('typed predicates give the rows of memory on both databases', async () => {
  await fc.assert(fc.asyncProperty(predicateArbitrary, agrees), { numRuns: draws(50, 800), endOnFailure: false });
  expect(counts.whole).toBeGreaterThan(counts.none);
});

test('what is pushed down beside hostile trees stays exact', async () => {
  const beside = fc.tuple(predicateArbitrary, treeArbitrary, fc.boolean());
  const property = fc.asyncProperty(beside, async ([predicate, hostile, first]) => {
    const tree = first ? build.logical('&&', hostile, predicate) : build.logical('&&', predicate, hostile);
    await agrees(tree).catch((error: unknown) => {
      if (!(error instanceof ExpressionError && error.code === 'field.unknown')) throw error;
    });
  });
  await fc.assert(property, { numRuns: draws(20, 320) });
});
