import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aCase, aSubmission } from '@assay/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openSqlite } from '../db/sqlite.ts';
import { adminCommands } from '../features/admin/commands.ts';
import { ingestCommands } from '../features/ingest/commands.ts';
import { liveCommands } from '../features/live/commands.ts';
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
  writer = await openWriter({
    thread: new URL('../writer-thread.ts', import.meta.url),
    databaseFile,
    runQuietMs: 60_000,
    onFault: ignore,
    onReturn: ignore,
    onEvents: ignore,
  });
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
        commit: null,
        metadataJson: null,
        expectedTests: null,
      },
      idempotencyKey: null,
    })
    .then(() => ended.push('started'));
  await Promise.all([cleanUp, live]);
  expect(ended).toEqual(['started', '200 runs cleaned up']);
});
