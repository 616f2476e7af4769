import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MAX_RESULTS_PER_RUN } from '@assay/contract';
import { aCase, aSubmission } from '@assay/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openSqlite } from '../db/sqlite.ts';
import { adminCommands } from '../features/admin/commands.ts';
import { importCommands } from '../features/import/commands.ts';
import { ingestCommands } from '../features/ingest/commands.ts';
import { liveCommands } from '../features/live/commands.ts';
import { changeOf } from '../scm.ts';
import { type Writer, openWriter } from './writer.ts';

let folder: string;
let writer: Writer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-writer-'));
  const databaseFile = join(folder, 'assay.db');
  const database = openSqlite({ file: databaseFile, access: 'write' });
  await migrate(database);
  await database.close();
  const ignore = (): void => undefined;
  const opened = openWriter({
    thread: new URL('../writer-thread.ts', import.meta.url),
    database: { file: databaseFile },
    runQuietMs: 60_000,
    onFault: ignore,
    onEvents: ignore,
  });
  writer = opened.writer;
  await opened.started;
});
afterEach(async () => {
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a run starts while a clean-up is going on', async () => {
  const body = (): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(JSON.stringify(aSubmission({ testCases: [aCase()] })));
  await Promise.all(
    Array.from({ length: 200 }, () =>
      writer.execute(ingestCommands.submitRun, { body: { bytes: body() }, idempotencyKey: null }),
    ),
  );
  const ended: string[] = [];
  const actor = { userId: null, username: null, address: null, sessionId: null };
  const cleanUp = writer
    .execute(adminCommands.cleanUp, { startedBefore: Date.now(), actor })
    .then(({ runs }) => ended.push(`${runs} runs cleaned up`));
  const live = writer
    .execute(liveCommands.startRun, {
      start: {
        projectName: 'live',
        startTime: Date.now() + 60_000,
        runKey: null,
        shard: null,
        attempt: 1,
        branch: null,
        defaultBranch: null,
        commit: null,
        metadataJson: null,
        change: changeOf(null),
        expectedTests: null,
      },
      idempotencyKey: null,
    })
    .then(() => ended.push('started'));
  await Promise.all([cleanUp, live]);
  expect(ended).toEqual(['started', '200 runs cleaned up']);
});

it('an import of which a part is refused leaves nothing of the others', async () => {
  using database = new DatabaseSync(join(folder, 'assay.db'), { timeout: 10_000 });
  const importShards = (...indices: number[]) =>
    writer.execute(importCommands.importRun, {
      projectName: 'shop',
      idempotencyKey: null,
      parts: indices.map((index) => ({
        testRun: JSON.stringify({
          status: 'passed',
          startTime: '2026-01-01T00:00:00Z',
          runKey: 'ci 1',
          shard: { index, total: 3 },
        }),
        testCases: { bytes: new TextEncoder().encode(JSON.stringify([aCase({ title: `of shard ${index}` })])) },
        reports: [],
        traces: [],
        attachments: [],
      })),
    });
  await importShards(1);
  database.exec(`UPDATE runs SET next_index = ${MAX_RESULTS_PER_RUN - 1}`);
  await expect(importShards(2, 3)).rejects.toMatchObject({ code: 'run_full' });
  const stored = (table: string, column: string) =>
    database
      .prepare(`SELECT ${column} AS value FROM ${table}`)
      .all()
      .map(({ value }) => value);
  expect({ shards: stored('parts', 'shard'), tests: stored('tests', 'title') }).toEqual({
    shards: [1],
    tests: ['of shard 1'],
  });
  expect((await importShards(2)).outcome).toBe('stored');
});

it('a submission that the database does not take keeps none from being stored that came with it', async () => {
  using database = new DatabaseSync(join(folder, 'assay.db'), { timeout: 10_000 });
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON runs WHEN NEW.branch = 'refused'
    BEGIN SELECT RAISE(ABORT, 'refused by a trigger'); END`);
  const submit = (branch: string) => {
    const testCases = ['of all', `of ${branch}`].map((title) => aCase({ title }));
    const body = { bytes: new TextEncoder().encode(JSON.stringify(aSubmission({ branch, testCases }))) };
    return writer.execute(ingestCommands.submitRun, { body, idempotencyKey: null });
  };
  const together = await Promise.allSettled(['first', 'refused', 'second', 'third'].map(submit));
  expect(together.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  const stored = () => ({
    runs: database
      .prepare('SELECT branch FROM runs ORDER BY id')
      .all()
      .map(({ branch }) => branch),
    tests: database
      .prepare('SELECT title FROM tests ORDER BY id')
      .all()
      .map(({ title }) => title),
    counted: { ...database.prepare('SELECT total_runs, total_tests, total_results FROM projects').get() },
  });
  expect(stored()).toEqual({
    runs: ['first', 'second', 'third'],
    tests: ['of all', 'of first', 'of second', 'of third'],
    counted: { total_runs: 3, total_tests: 4, total_results: 6 },
  });
  database.exec('DROP TRIGGER refuse');
  await submit('refused');
  expect(stored()).toMatchObject({
    tests: ['of all', 'of first', 'of second', 'of third', 'of refused'],
    counted: { total_runs: 4, total_tests: 5, total_results: 8 },
  });
});
