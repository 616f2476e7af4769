import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { createMigrated } from '../migrated-database.ts';
import { until } from '../robustness/service-process.ts';
import { startTestServer } from '../server.ts';
import { type Replicas, startReplicas } from './replicas.ts';

/** Well over the size from which on a body is large. */
const CASES = 12_000;

let replicas: Replicas;
let database: Database;
beforeAll(async () => {
  replicas = await startReplicas(2, createMigrated);
  database = await openDatabase({ url: replicas.databaseUrl }, { access: 'write' });
});
afterAll(async () => {
  await database.close();
  await replicas[Symbol.asyncDispose]();
});

const countStaged = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM staged_tests`.execute(database.queries);
  return rows[0]!.count;
};

const large = (projectName: string) =>
  submission({
    projectName,
    startTime: minute(0),
    testCases: Array.from({ length: CASES }, (_, at) => testCase({ title: `test ${at}` })),
  });

it('small submissions of the same project are stored by any replica while a large one is under way', async () => {
  const [first, second] = replicas.servers as [Replicas['servers'][number], Replicas['servers'][number]];
  const projectName = newName();
  let isStored = false;
  const storing = first.client.submitRun({ body: large(projectName) }).finally(() => (isStored = true));
  await until('tests are staged', async () => (await countStaged()) > 0);
  for (const [at, { client }] of [first, second].entries()) {
    const testCases = [testCase({ title: 'test 0' }), testCase({ title: `small ${at}` })];
    await client.submitRun({ body: submission({ projectName, startTime: minute(1 + at), testCases }) });
    expect(isStored).toBe(false);
  }
  // A start discards what was cut off, and nothing of what is under way.
  await using third = await startTestServer({ databaseUrl: replicas.databaseUrl });
  const { testRunId, projectId } = await storing;
  expect(await third.client.getProject({ params: { id: projectId } })).toMatchObject({
    totalRuns: 3,
    totalTestCases: CASES + 2,
  });
  const { testCases } = await second.client.getRun({ params: { id: testRunId }, query: { details: false } });
  expect(testCases.map(({ title }) => title)).toEqual(large(projectName).testCases!.map(({ title }) => title));
  const { tests_epoch } = await database.queries
    .selectFrom('projects')
    .select('tests_epoch')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  expect(tests_epoch).toBe(0);
  expect(await countStaged()).toBe(0);
});

it('tests that a killed process has staged are discarded at a start, once it must be gone', async () => {
  const [first] = replicas.servers;
  const { projectId } = await first!.client.submitRun({
    body: submission({ testCases: [testCase({ title: 'kept' })] }),
  });
  const stage = async (title: string, stagedAt: number): Promise<void> => {
    const { queries } = database;
    const { id } = await queries
      .insertInto('tests')
      .values({ project_id: projectId, identity: Buffer.from(title), file: 'a', title, browser: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const range = { first_id: id, last_id: id, project_id: projectId, is_new_project: 0 };
    await queries
      .insertInto('staged_tests')
      .values({ ...range, staged_by: 'gone', staged_at: stagedAt })
      .execute();
    await queries
      .updateTable('projects')
      .set({ total_tests: sql`total_tests + 1` })
      .where('id', '=', projectId)
      .execute();
  };
  await stage('of an hour ago', Date.now() - 61 * 60_000);
  await stage('of now', Date.now());
  await using third = await startTestServer({ databaseUrl: replicas.databaseUrl });
  await expect.poll(countStaged).toBe(1);
  const left = await database.queries
    .selectFrom('tests')
    .select('title')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute();
  expect(left.map(({ title }) => title)).toEqual(['kept', 'of now']);
  expect(await third.client.getProject({ params: { id: projectId } })).toMatchObject({ totalTestCases: 2 });
});
