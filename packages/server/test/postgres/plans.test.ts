import type { OwnDatabase } from '@assay/testkit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { testsByIdentity } from '../../src/db/tests-by-identity.ts';
import { isUnread, selectRevision, selectUnread, unreadRuns } from '../../src/features/clusters/unread-runs.ts';
import { createMigrated } from '../migrated-database.ts';

const PROJECTS = 20;
const RUNS_EACH = 1_000;

let server: OwnDatabase;
let database: Database;
beforeAll(async () => {
  server = await createMigrated();
  database = await openDatabase({ url: server.url }, { access: 'write' });
  const { queries } = database;
  await sql`
    INSERT INTO projects (name, created_at, updated_at, active_at, revision, next_sequence, total_runs, total_tests, total_results, tests_epoch)
    SELECT 'project ' || n, 0, 0, 0, 1, ${RUNS_EACH}::int, ${RUNS_EACH}::int, 0, 0, 0 FROM generate_series(1, ${PROJECTS}::int) AS n`.execute(
    queries,
  );
  // As in life: runs of all projects take turns, and all of them were read.
  await sql`
    INSERT INTO runs (project_id, sequence, status, start_time, total_tests, passed_tests, failed_tests, skipped_tests, flaky_tests, result_count, created_at, version, clustered_version)
    SELECT projects.id, n, 'passed', n, 1, 1, 0, 0, 0, 1, 0, 1, 1 FROM generate_series(1, ${RUNS_EACH}::int) AS n CROSS JOIN projects ORDER BY n, projects.id`.execute(
    queries,
  );
  await sql`ANALYZE`.execute(queries);
});
afterAll(async () => {
  await database.close();
  await server[Symbol.asyncDispose]();
});

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of a table a statement looks at. */
const visited = (table: string, { Plans = [], ...plan }: Plan): number =>
  Plans.reduce((sum, inner) => sum + visited(table, inner), 0) +
  (plan['Relation Name'] === table
    ? plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0))
    : 0);

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }];
}

interface Explainable {
  explain(format: 'json', options: ReturnType<typeof sql>): Promise<Explained[]>;
}

const explain = async (query: unknown): Promise<number> => {
  const [row] = await (query as Explainable).explain('json', sql`analyze`);
  return visited('runs', row!['QUERY PLAN'][0].Plan);
};

it('whether runs of a project have to be read for clusters is found without looking at others', async () => {
  const { queries } = database;
  const { id } = await queries.selectFrom('projects').select('id').orderBy('id').executeTakeFirstOrThrow();
  expect(await explain(selectRevision(queries, id))).toBe(0);
  expect(await explain(selectUnread(queries, id, 101))).toBe(0);
  expect(await explain(unreadRuns(queries, id).select(({ fn }) => fn.countAll().as('count')))).toBe(0);
  expect(await explain(queries.selectFrom('runs').select('project_id').distinct().where(isUnread).limit(20))).toBe(0);
  const unread = await queries
    .updateTable('runs')
    .set({ version: 2 })
    .where('project_id', '=', id)
    .where('sequence', '<=', 3)
    .returning('id')
    .execute();
  expect(await selectUnread(queries, id, 2).execute()).toHaveLength(2);
  expect(await explain(selectUnread(queries, id, 101))).toBe(unread.length);
});

it('the tests that a submission names are looked up one by one, also when all others have just been added', async () => {
  const { queries } = database;
  const { id } = await queries.selectFrom('projects').select('id').orderBy('id').executeTakeFirstOrThrow();
  await sql`
    INSERT INTO tests (project_id, identity, file, title)
    SELECT ${id}::int, decode(lpad(to_hex(n), 32, '0'), 'hex'), 'a.ts', 'test ' || n FROM generate_series(1, 5000) AS n`.execute(
    queries,
  );
  const identities = [7, 5_000, 5_001].map((n) => Buffer.from(n.toString(16).padStart(32, '0'), 'hex'));
  const statement = testsByIdentity(queries, id, identities);
  expect((await statement.execute(queries)).rows.map(({ identity }) => Buffer.from(identity))).toEqual(
    identities.slice(0, 2),
  );
  const { rows } = await sql<Explained>`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`.execute(queries);
  expect(visited('tests', rows[0]!['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(identities.length);
});
