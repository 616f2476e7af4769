import { ExpressionError, evaluate, toSql } from '@assay/expression';
import type { Catalogue, Node, SqlPredicate, Value } from '@assay/expression';
import type { Row, Table } from './sqlite-table.ts';

type Outcome = 'match' | 'no match' | 'error';

const outcomeOf = (tree: Node, row: Row, catalogue: Catalogue, scope: Record<string, Value>): Outcome => {
  const name = tree.kind === 'Lambda' ? tree.params[0]! : (catalogue.row ?? 't');
  try {
    return evaluate(tree, { params: { [name]: row }, scope }) ? 'match' : 'no match';
  } catch (error) {
    if (error instanceof ExpressionError) return 'error';
    throw error;
  }
};

export interface Agreement {
  readonly predicate: SqlPredicate;
  /** The numbers of the rows that match, by the database and what is left in memory. */
  readonly matches: readonly number[];
  readonly differences: readonly string[];
}

/**
 * What a table gives for a predicate beside what memory gives. A row for which memory gives an error may be left out by the
 * database or give an error too; it never matches.
 */
export const compareWithMemory = async (
  tree: Node,
  catalogue: Catalogue,
  table: Table,
  scope: Record<string, Value> = {},
): Promise<Agreement> => {
  const predicate = toSql(tree, catalogue, table.dialect, { scope });
  const selected = new Set(await table.select(predicate));
  const matches: number[] = [];
  const differences: string[] = [];
  for (const [at, row] of table.rows.entries()) {
    const expected = outcomeOf(tree, row, catalogue, scope);
    let found: Outcome = selected.has(at) ? 'match' : 'no match';
    if (selected.has(at) && predicate.residual) found = outcomeOf(predicate.residual, row, catalogue, scope);
    if (found === 'match') matches.push(at);
    if (found !== expected && (expected !== 'error' || found === 'match')) {
      differences.push(`${table.dialect} row ${at}: ${found} instead of ${expected}\n${predicate.sql}`);
    }
  }
  return { predicate, matches, differences };
};
