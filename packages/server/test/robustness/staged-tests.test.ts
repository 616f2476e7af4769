import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openSqlite } from '../../src/db/sqlite.ts';
import { commitCommands } from '../../src/features/commits/commands.ts';
import { importCommands } from '../../src/features/import/commands.ts';
import { ingestCommands } from '../../src/features/ingest/commands.ts';
import { type ParsedSubmission, parseSubmission } from '../../src/features/ingest/parse-submission.ts';
import { runCommands } from '../../src/features/runs/commands.ts';
import { decodeResults } from '../../src/segments/results.ts';
import { type WriterMeans, finishParsing } from '../../src/writer/command.ts';
import { createMeans } from '../../src/writer/means.ts';
import { submission } from '../conformance/build.ts';
import { executeCommand } from './failing-database.ts';

const CASES = 5_000;
const { submitRun, discardStagedTests } = ingestCommands;
const { importRun } = importCommands;
const actor = { userId: null, username: null, address: '10.0.0.1', sessionId: null };

let folder: string;
let database: Database;
let means: WriterMeans;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-staged-'));
  database = openSqlite({ file: join(folder, 'assay.db'), access: 'write' });
  await migrate(database);
  means = createMeans(database, { runQuietMs: 60_000 });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const bodyOf = (projectName: string, first: number, count: number): { bytes: Uint8Array<ArrayBuffer> } => {
  const testCases = casesFrom(first, count);
  return { bytes: new TextEncoder().encode(JSON.stringify(submission({ projectName, testCases }))) };
};
const casesFrom = (first: number, count: number) =>
  titlesFrom(first, count).map((title) => ({ title, status: 'passed' as const }));
const submit = (projectName: string, first: number, count: number) =>
  executeCommand(means, submitRun, { body: bodyOf(projectName, first, count), idempotencyKey: null }) as Promise<{
    testRunId: number;
  }>;

const LARGE = { projectName: 'shop', first: 0, count: CASES };

/** Takes the steps of a large submission, and does something else after each of them. */
const stage = async (large = LARGE, between: (step: number) => unknown = () => undefined) => {
  const input = { body: bodyOf(large.projectName, large.first, large.count), idempotencyKey: null };
  const parsed: ParsedSubmission = finishParsing(parseSubmission(input.body.bytes));
  let step = 0;
  for await (const _ of submitRun.stage!({ ...means, now: Date.now() }, parsed, input)) await between(++step);
  expect(step).toBeGreaterThan(1);
  const store = () =>
    database.transaction((transaction) => submitRun.store(transaction, parsed, input, { ...means, now: Date.now() }));
  return store;
};

const titlesOf = async (runId: number): Promise<(string | undefined)[]> => {
  const { results } = await database.queries
    .selectFrom('segments')
    .select('results')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  const tests = await database.queries.selectFrom('tests').select(['id', 'title']).execute();
  const titles = new Map(tests.map(({ id, title }) => [id, title]));
  return [...decodeResults(results).testId.values].map((id) => titles.get(id));
};
const titlesFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, nth) => `case ${first + nth}`);

/** What is there, and whether each project counts its tests right. */
const readState = async () => {
  const projects = await database.queries.selectFrom('projects').select(['id', 'name', 'total_tests']).execute();
  const counted = await Promise.all(
    projects.map(async ({ id, name, total_tests }) => {
      const tests = await database.queries.selectFrom('tests').select('id').where('project_id', '=', id).execute();
      expect(total_tests).toBe(tests.length);
      return [name, tests.length] as const;
    }),
  );
  const staged = await database.queries.selectFrom('staged_tests').selectAll().execute();
  return { tests: Object.fromEntries(counted), staged: staged.length };
};

describe('the tests of a large submission', () => {
  it('are added ahead of its run, while others are stored between', async () => {
    const small: { testRunId: number }[] = [];
    const store = await stage(LARGE, async (step) => small.push(await submit('shop', step * 1_000, 10)));
    const { testRunId } = await store();
    expect(await titlesOf(testRunId)).toEqual(titlesFrom(0, CASES));
    for (const [nth, run] of small.entries()) {
      expect(await titlesOf(run.testRunId)).toEqual(titlesFrom((nth + 1) * 1_000, 10));
    }
    expect(await readState()).toEqual({ tests: { shop: CASES }, staged: 0 });
    expect(await executeCommand(means, discardStagedTests, null)).toBe(0);
  });

  it('leave nothing behind when the service ends before the run is stored, not even the project', async () => {
    await submit('other', 0, 5);
    await stage();
    expect(await readState()).toEqual({ tests: { other: 5, shop: CASES }, staged: 3 });
    const owners = { hash: 'a'.repeat(64), text: '* @all' };
    await executeCommand(means, commitCommands.storeCommits, { projectName: 'shop', owners });
    // A new writer knows nothing of what the one before remembered.
    means = createMeans(database, { runQuietMs: 60_000 });
    expect(await executeCommand(means, discardStagedTests, null)).toBe(CASES);
    expect(await readState()).toEqual({ tests: { other: 5 }, staged: 0 });
    expect(await titlesOf((await submit('shop', 0, 20)).testRunId)).toEqual(titlesFrom(0, 20));
  });

  it('stay as far as another run has them by then', async () => {
    let other = 0;
    await stage(LARGE, async () => ({ testRunId: other } = await submit('shop', 100, 50)));
    await executeCommand(means, discardStagedTests, null);
    expect(await readState()).toEqual({ tests: { shop: 50 }, staged: 0 });
    expect(await titlesOf(other)).toEqual(titlesFrom(100, 50));
    // What the writer remembered of the others is gone too.
    expect(await titlesOf((await submit('shop', 0, 200)).testRunId)).toEqual(titlesFrom(0, 200));
  });

  it('are kept for those parts of an import that are stored, and no others', async () => {
    const part = (index: number, attempt: number, count: number) => ({
      testRun: JSON.stringify({
        status: 'passed',
        startTime: '2026-01-01T00:00:00Z',
        runKey: 'ci 1',
        shard: { index, total: 2 },
        attempt,
      }),
      testCases: { bytes: new TextEncoder().encode(JSON.stringify(casesFrom(index * 10_000, count))) },
      reports: [],
      traces: [],
      attachments: [],
    });
    const importParts = (...parts: ReturnType<typeof part>[]) => ({ projectName: 'shop', idempotencyKey: null, parts });
    await executeCommand(means, importRun, importParts(part(2, 2, 10)));
    const input = importParts(part(1, 1, CASES), part(2, 1, CASES));
    const parsed = finishParsing(importRun.parse(input, (body) => (body as { bytes: Uint8Array }).bytes));
    for await (const _ of importRun.stage!({ ...means, now: Date.now() }, parsed, input)) await submit('other', 0, 1);
    expect((await readState()).tests).toEqual({ shop: 2 * CASES, other: 1 });
    const { outcome } = await database.transaction((transaction) =>
      importRun.store(transaction, parsed, input, { ...means, now: Date.now() }),
    );
    expect(outcome).toBe('superseded');
    expect(await executeCommand(means, discardStagedTests, null)).toBe(CASES - 10);
    expect(await readState()).toEqual({ tests: { shop: CASES + 10, other: 1 }, staged: 0 });
  });

  it('are looked up once more when tests are removed meanwhile', async () => {
    const { testRunId: old } = await submit('shop', 0, 3_000);
    const store = await stage(LARGE, async (step) => {
      if (step === 2) await executeCommand(means, runCommands.deleteRun, { runId: old, actor });
    });
    const { testRunId } = await store();
    expect(await titlesOf(testRunId)).toEqual(titlesFrom(0, CASES));
    expect(await readState()).toEqual({ tests: { shop: CASES }, staged: 0 });
  });
});
