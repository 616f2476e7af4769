import { copyFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UploadReply } from '@assay/contract';
import { expect, it } from 'vitest';
import { openDiskBlobs } from '../../src/blobs/disk.ts';
import { QUARANTINE_MS, sweepBlobs } from '../../src/blobs/sweep.ts';
import { submission } from '../conformance/build.ts';
import { openDatabaseOf } from '../in-database.ts';
import { newFolder, spawnService } from '../robustness/service-process.ts';
import { startTestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { file, readStored, textFields, uniqueBytes, upload } from './form.ts';
import { hashesOf, storedHashes } from './stored.ts';

interface Sent {
  readonly answer: UploadReply;
  readonly asset: Buffer;
  readonly trace: Buffer;
}

const send = async (server: { url: string }): Promise<Sent> => {
  const [asset, trace] = [uniqueBytes(2_000), uniqueBytes(3_000)];
  const report = await zipOf({ 'index.html': '<!doctype html>', 'asset.bin': asset });
  const answer = await upload(server, [file('report_html', report), file('trace_0', trace), ...textFields()]);
  return { answer, asset, trace };
};

const expectServed = async (server: { url: string }, { answer, asset, trace }: Sent): Promise<void> => {
  expect(await readStored(server, answer.reportPath!.replace('index.html', 'asset.bin'))).toEqual(asset);
  expect(await readStored(server, answer.traces[0]!.path)).toEqual(trace);
};

/** What the hourly sweep of a service on this folder does. */
const sweep = async (dataDir: string, now = Date.now()) => {
  const blobs = await openDiskBlobs(join(dataDir, 'blobs'), join(dataDir, 'staging'));
  const database = await openDatabaseOf(dataDir, 'read');
  try {
    return await sweepBlobs(blobs, database.queries, now);
  } finally {
    await database.close();
  }
};

const startRefused = async (dataDir: string): Promise<string> => {
  await using service = spawnService({ PORT: '0', SERVICE_DATA_DIR: dataDir });
  expect((await service.exited).code).toBe(1);
  expect(service.stderr()).toMatch(/^assay-server: .+\n$/);
  return service.stderr();
};

it('a new database beside files of an earlier one is refused, and moving them away starts anew', async () => {
  using folder = newFolder();
  const database = join(folder.path, 'assay.db');
  let sent: Sent;
  {
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    sent = await send(server);
  }
  const stored = storedHashes(folder.path);
  renameSync(database, join(folder.path, 'kept.db'));
  const line = await startRefused(folder.path);
  expect(line).toContain(database);
  expect(line).toContain(`move ${join(folder.path, 'blobs')} away`);
  writeFileSync(database, '');
  const again = startTestServer({ dataDir: folder.path, databaseUrl: null });
  await expect(again).rejects.toThrow(line.trim().replace(/^assay-server: /, ''));
  expect(storedHashes(folder.path)).toEqual(stored);
  renameSync(join(folder.path, 'blobs'), join(folder.path, 'aside'));
  {
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    expect(await server.client.listProjects()).toEqual([]);
  }
  renameSync(join(folder.path, 'kept.db'), database);
  rmSync(join(folder.path, 'blobs'), { recursive: true });
  renameSync(join(folder.path, 'aside'), join(folder.path, 'blobs'));
  await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
  await expectServed(server, sent);
});

it('a new database is refused where the log of an earlier one waits', async () => {
  using folder = newFolder();
  {
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    await server.client.submitRun({ body: submission() });
    copyFileSync(join(folder.path, 'assay.db-wal'), join(folder.path, 'log'));
  }
  rmSync(join(folder.path, 'assay.db'));
  renameSync(join(folder.path, 'log'), join(folder.path, 'assay.db-wal'));
  const refused = startTestServer({ dataDir: folder.path, databaseUrl: null });
  await expect(refused).rejects.toThrow('assay.db-wal');
  expect(readdirSync(folder.path)).toContain('assay.db-wal');
});

it('under an older copy of the database all that it names is served, and with the newer one back everything is', async () => {
  using folder = newFolder();
  const database = join(folder.path, 'assay.db');
  const [older, newer] = [join(folder.path, 'older.db'), join(folder.path, 'newer.db')];
  const serve = async <T>(work: (server: Awaited<ReturnType<typeof startTestServer>>) => Promise<T>): Promise<T> => {
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    return await work(server);
  };
  const first = await serve(send);
  copyFileSync(database, older);
  const second = await serve(send);
  renameSync(database, newer);
  copyFileSync(older, database);
  await serve(async (server) => {
    await expectServed(server, first);
    expect(storedHashes(folder.path)).toEqual(expect.arrayContaining(hashesOf([second.asset, second.trace])));
    // A repeated upload names none of its contents, and must not take those along that were there before it.
    const key = { 'idempotency-key': 'once' };
    await upload(server, textFields('again'), key);
    await upload(server, [file('trace_0', second.trace), ...textFields('again')], key);
  });
  expect(await sweep(folder.path)).toMatchObject({ quarantined: 2, removed: { count: 0 } });
  expect(await sweep(folder.path)).toMatchObject({ quarantined: 0, removed: { count: 0 } });
  await serve((server) => expectServed(server, first));
  copyFileSync(newer, database);
  await serve(async (server) => {
    await expectServed(server, first);
    expect(await readStored(server, second.answer.traces[0]!.path)).toEqual(second.trace);
  });
  expect(await sweep(folder.path)).toMatchObject({ quarantined: 0, restored: 1, removed: { count: 0 } });
  await serve((server) => expectServed(server, second));

  copyFileSync(older, database);
  await sweep(folder.path);
  const late = Date.now() + QUARANTINE_MS + 60_000;
  expect(await sweep(folder.path, late)).toMatchObject({ removed: { count: 2, freedBytes: 5_000 } });
  await serve((server) => expectServed(server, first));
});
