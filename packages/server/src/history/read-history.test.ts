import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openSqlite } from '../db/sqlite.ts';
import { type HistoryOf, readConsistently } from './read-history.ts';

let folder: string;
let database: Database;
const PROJECT: HistoryOf = { id: 1, next_sequence: 4, tests_epoch: 7 };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-history-'));
  database = openSqlite({ file: join(folder, 'assay.db'), access: 'write' });
  await migrate(database);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await database.queries.deleteFrom('projects').execute();
  await database.queries
    .insertInto('projects')
    .values({
      ...PROJECT,
      name: 'shop',
      label: null,
      description: null,
      created_at: 0,
      updated_at: 0,
      active_at: 0,
      revision: 1,
      total_runs: 0,
      total_tests: 0,
      total_results: 0,
    })
    .execute();
});

const setProject = (values: Partial<HistoryOf>) => database.queries.updateTable('projects').set(values).execute();

it('reads once while no run leaves its place', async () => {
  const seen: HistoryOf[] = [];
  const value = await readConsistently(database.queries, PROJECT, async (project) => {
    seen.push(project);
    // A run that is added at the end changes nothing of what was read.
    await setProject({ next_sequence: 5 });
    return seen.length;
  });
  expect(value).toBe(1);
  expect(seen).toEqual([PROJECT]);
});

it('reads again, from the project as it is by then, until no run has left its place meanwhile', async () => {
  const seen: HistoryOf[] = [];
  const value = await readConsistently(database.queries, PROJECT, async (project) => {
    seen.push(project);
    if (seen.length < 3) await setProject({ next_sequence: 4 - seen.length, tests_epoch: 7 + seen.length });
    return `read ${seen.length}`;
  });
  expect(value).toBe('read 3');
  expect(seen).toEqual([
    PROJECT,
    { id: 1, next_sequence: 3, tests_epoch: 8 },
    { id: 1, next_sequence: 2, tests_epoch: 9 },
  ]);
});

it('answers with what it has when runs leave their places each time, or the project is gone', async () => {
  let reads = 0;
  const value = await readConsistently(database.queries, PROJECT, async ({ tests_epoch }) => {
    await setProject({ tests_epoch: tests_epoch + 1 });
    return ++reads;
  });
  expect(value).toBe(10);
  await setProject({ tests_epoch: 7 });
  const last = await readConsistently(database.queries, PROJECT, async () => {
    await database.queries.deleteFrom('projects').execute();
    return 'last';
  });
  expect(last).toBe('last');
});
