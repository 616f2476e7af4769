import { type FilterRow, predicateOf, RUN_FIELDS, runRow, TEST_FIELDS, testRow } from '@assay/contract/filter';
import type { SqlFilterResult } from '@assay/contract/filter-sql';
import { serialize } from '@assay/expression';
import { draws } from '@assay/testkit';
import { searchOver } from '@assay/testkit/filter-texts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { readRunFilter, readTestFilter, whereFilter } from '../../src/features/filters/filter-tables.ts';
import { openDatabaseOf } from '../in-database.ts';
import { ON_POSTGRES, startTestServer, type TestServer } from '../server.ts';
import { submittedRun } from './submissions.ts';

interface Listed {
  readonly id: number;
  readonly row: FilterRow;
}

const options = { dialect: ON_POSTGRES ? 'postgres' : 'sqlite', statuses: ['broken'], now: Date.now() } as const;
let server: TestServer;
let database: Database;
let runs: readonly Listed[];
let tests: readonly Listed[];

beforeAll(async () => {
  server = await startTestServer();
  const { client } = server;
  let params = { id: 0 };
  for (const run of fc.sample(submittedRun, { seed: 7, numRuns: 30 })) {
    const { projectId } = await client.submitRun({ body: { ...run, projectName: 'shop' } });
    params = { id: projectId };
  }
  const { testRuns } = await client.getProject({ params, query: {} });
  runs = testRuns.map((run) => ({ id: run.id, row: runRow(run) }));
  const listed = await client.listTests({ params, query: { history: 10 } });
  tests = listed.map((test) => ({ id: test.id, row: testRow(test) }));
  database = await openDatabaseOf(server.dataDir, 'read');
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const truly = (holds: (row: FilterRow) => boolean, row: FilterRow): boolean => {
  try {
    return holds(row);
  } catch {
    return false;
  }
};

/** Rows with a text that the databases see otherwise than we do are asked in memory: see `orHasNul`. */
const isAskedInMemory = ({ row }: Listed): boolean => /\0|\u{10FFFF}/u.test(Object.values(row).join(' '));

/** Asks the database and then the residual; and all rows. */
const expectSame = async (filter: SqlFilterResult, table: 'runs' | 'tests', all: readonly Listed[]): Promise<void> => {
  const rows = all.filter((row) => !isAskedInMemory(row));
  if (!filter.ok) throw new Error(filter.issues.map(({ message }) => message).join('; '));
  const { residual } = filter.sql!;
  const found = await database.queries
    .selectFrom(table)
    .select('id')
    .where(whereFilter(filter.sql!, database.dialect))
    .execute();
  const ids = new Set(found.map(({ id }) => id));
  const holds = residual === null ? () => true : predicateOf(residual, RUN_FIELDS);
  const bySql = rows.filter(({ id, row }) => ids.has(id) && truly(holds, row));
  const inMemory = rows.filter(({ row }) => truly(filter.predicate, row));
  expect(bySql.map(({ id }) => id)).toEqual(inMemory.map(({ id }) => id));
};

describe('a condition with its residual selects what the predicate selects', () => {
  it.each([
    ['runs', RUN_FIELDS, readRunFilter, () => runs],
    ['tests', TEST_FIELDS, readTestFilter, () => tests],
  ] as const)('among %s', async (table, fields, read, rows) => {
    await fc.assert(
      fc.asyncProperty(searchOver(fields), async (text) => {
        const filter = read(text, options);
        await expectSame(filter, table, rows());
        if (filter.ok) await expectSame(read(serialize(filter.tree), options), table, rows());
      }),
      { numRuns: draws(40) },
    );
  });

  it.each([
    ['t => t.failed > t.passed && t.branch !== null && t.branch.length > 4', 'runs', false],
    ['t.message?.includes("x") ?? t.author === null', 'runs', false],
    ['t => [...t.commit].length > 1', 'runs', true],
    ['status:failed browser:firefox', 'tests', true],
    ['t => t.failed > 0 && t.file.endsWith("ts")', 'tests', true],
    ['"item"', 'tests', false],
  ] as const)('%s', async (text, table, leavesResidual) => {
    const filter = table === 'runs' ? readRunFilter(text, options) : readTestFilter(text, options);
    await expectSame(filter, table, table === 'runs' ? runs : tests);
    expect(filter.ok && filter.sql!.residual !== null).toBe(leavesResidual);
  });
});

it('asks the database for what it stores where the rest asks for figures', () => {
  const filter = readTestFilter('file:cart failed:>2', options);
  expect(filter).toMatchObject({ ok: true, sql: { params: ['cart'], residual: { kind: 'Lambda' } } });
});

it('says what is wrong with a text, an envelope and one that is too large, and where', () => {
  expect(readRunFilter('statu:failed', options)).toMatchObject({
    ok: false,
    issues: [{ code: 'field.unknown', details: { nearest: 'status' }, span: { start: 0 } }],
  });
  expect(readRunFilter({ v: 1, root: { kind: 'Nothing' } }, options)).toMatchObject({
    ok: false,
    issues: [{ code: 'node.unknownKind', path: '/root/kind' }],
  });
  const deep = 't => ' + '('.repeat(40) + '1' + ' + 1)'.repeat(40);
  expect(readRunFilter(deep, options)).toMatchObject({ ok: false, issues: [{ code: 'limit.depth' }] });
  expect(readRunFilter('(a, b) => a.failed > 1', options)).toMatchObject({
    issues: [{ code: 'predicate.parameters' }],
  });
});
