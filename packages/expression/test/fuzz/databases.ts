import fc from 'fast-check';
import { type PostgresAccess, connectPostgres } from '../../../testkit/src/postgres/connect.ts';
import { ExpressionError, type Node, build, print } from '../../src/index.ts';
import { treeArbitrary } from '../arbitrary-tree.ts';
import { compareWithMemory } from '../sql/agreement.ts';
import { type Table, postgresTable, sqliteTable } from '../sql/databases.ts';
import { predicateArbitrary } from '../sql/predicates.ts';
import { CATALOGUE, rowArbitrary } from '../sql/sample.ts';
import { type FuzzProperty, reportOf } from './property.ts';

const ROWS = 60;

const beside = fc
  .tuple(predicateArbitrary, treeArbitrary, fc.boolean())
  .map(([predicate, hostile, first]) =>
    first ? build.logical('&&', hostile, predicate) : build.logical('&&', predicate, hostile),
  );

/** A case is one predicate on one row of one database. Every seed has rows of its own. */
export const databaseProperty = (dialect: 'sqlite' | 'postgres', access?: PostgresAccess): FuzzProperty => ({
  name: dialect,
  what: `predicates select the rows of memory on ${dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
  try: async (seed, runs) => {
    const rows = fc.sample(rowArbitrary, { numRuns: ROWS, seed });
    await using table: Table =
      dialect === 'sqlite'
        ? sqliteTable(CATALOGUE, rows)
        : await postgresTable(CATALOGUE, rows, () => connectPostgres(access!));
    const trees = fc.oneof({ weight: 3, arbitrary: predicateArbitrary }, beside);
    const details = await fc.check(
      fc.asyncProperty(trees, (tree) => agree(tree, table)),
      { seed, numRuns: runs },
    );
    return {
      cases: details.numRuns * table.rows.length,
      failure: reportOf(details),
    };
  },
});

const agree = async (tree: Node, table: Table): Promise<void> => {
  const compared = await compareWithMemory(tree, CATALOGUE, table).catch((error: unknown) => {
    if (error instanceof ExpressionError && error.code === 'field.unknown') return undefined;
    throw error;
  });
  if (compared && compared.differences.length > 0)
    throw new Error(`${print(tree)}\n${compared.differences.slice(0, 2).join('\n')}`);
};
