import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseEnvelope, parseText } from '../../src/index.ts';
import type { Catalogue, Field, Node, SqlPredicate } from '../../src/index.ts';
import { compareWithMemory } from './agreement.ts';
import { postgresTable, sqliteTable } from './databases.ts';
import type { Row } from './databases.ts';

interface Vector {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly text?: string;
  readonly root?: unknown;
  readonly rows: readonly unknown[];
  readonly expect: { readonly matches: readonly number[]; readonly pushed: 'all' | 'part' | 'none' };
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../expression-vectors/vectors/sql.json', import.meta.url), 'utf8'),
) as readonly Vector[];

const treeOf = ({ text, root }: Vector): Node => {
  const read = text === undefined ? parseEnvelope({ v: 1, root }) : parseText(text);
  if (!read.ok) throw new Error(read.issues.map(({ message }) => message).join('\n'));
  return read.tree;
};

/** Rows are written as constants are: dates in their wrapper. */
const rowsOf = (vector: Vector): Row[] =>
  vector.rows.map((value) => {
    const read = parseEnvelope({ v: 1, root: { kind: 'Constant', value } });
    if (!read.ok || read.tree.kind !== 'Constant') throw new Error(`Not a row: ${JSON.stringify(value)}`);
    return read.tree.value as Row;
  });

const pushedOf = ({ sql, residual }: SqlPredicate): string => {
  if (residual === null) return 'all';
  return sql === 'TRUE' ? 'none' : 'part';
};

test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
  const catalogue: Catalogue = { fields: vector.fields };
  const tree = treeOf(vector);
  const rows = rowsOf(vector);
  await using sqlite = sqliteTable(catalogue, rows);
  await using postgres = await postgresTable(catalogue, rows);
  for (const table of [sqlite, postgres]) {
    const { predicate, matches, differences } = await compareWithMemory(tree, catalogue, table);
    expect(differences).toEqual([]);
    expect({ matches, pushed: pushedOf(predicate) }, table.dialect).toEqual(vector.expect);
  }
});
