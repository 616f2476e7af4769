import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { canMount, mountDisk } from '../../../reporter/test/mount-disk.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openSqlite } from '../../src/db/sqlite.ts';
import { submission, testCase } from '../conformance/build.ts';
import { file, sendForm, textFields, uniqueBytes } from '../files/form.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { readConfig } from '../tested-service.ts';
import { newFolder, until } from './service-process.ts';

vi.setConfig({ testTimeout: 60_000 });

const ready = async ({ url }: TestServer): Promise<{ status: number; reason: string | undefined }> => {
  const response = await fetch(`${url}/readyz`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, reason };
};

const submit = async ({ url }: TestServer, body: unknown = submission()): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/test-runs/submit`, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.text();
  return response.status;
};

describe('a database that is removed under the running service', () => {
  it.each(['.', 'assay.db', 'assay.db-wal'])('is noticed before anything is acknowledged: %s', async (name) => {
    using folder = newFolder();
    const dataDir = join(folder.path, 'data');
    await using server = await startTestServer({ dataDir, databaseUrl: null });
    expect(await submit(server)).toBe(200);
    expect(await ready(server)).toMatchObject({ status: 200 });
    renameSync(join(dataDir, name), join(folder.path, 'away'));
    const large = submission({ testCases: [testCase({ error: 'x'.repeat(2_000_000) })] });
    expect(await submit(server)).toBe(503);
    expect(await submit(server, large)).toBe(503);
    expect((await sendForm(server, [file('trace_0', uniqueBytes(100)), ...textFields()])).status).toBe(503);
    expect((await fetch(`${server.url}/api/test-runs/1`, { method: 'DELETE' })).status).toBe(503);
    await until('readiness is no longer kept', async () => (await ready(server)).status === 503);
    expect((await ready(server)).reason).toContain('removed or replaced');
    rmSync(join(dataDir, name), { recursive: true, force: true });
    renameSync(join(folder.path, 'away'), join(dataDir, name));
    expect(await submit(server)).toBe(200);
    await until('it is ready again', async () => (await ready(server)).status === 200);
    expect(await server.client.getStats()).toMatchObject({ totalRuns: 2 });
  });

  it('fails the transaction whose commit nobody can read any more', async () => {
    using folder = newFolder();
    const path = join(folder.path, 'assay.db');
    const database = openSqlite({ file: path, access: 'write' });
    await migrate(database);
    const remove = database.transaction(async (transaction) => {
      await transaction.updateTable('installation').set({ id: 'another' }).execute();
      rmSync(path);
    });
    await expect(remove).rejects.toMatchObject({ code: 'unavailable' });
    await expect(database.transaction(async () => 'done')).rejects.toMatchObject({ code: 'unavailable' });
    await database.close();
  });
});

describe.runIf(canMount())('a full disk', () => {
  const DISK_BYTES = 24 * 1024 * 1024;

  const fillUp = (path: string): string => {
    const filler = join(path, 'filler');
    const descriptor = openSync(filler, 'w');
    for (let piece = 1024 * 1024; piece >= 1;) {
      try {
        writeSync(descriptor, Buffer.alloc(piece));
      } catch {
        piece = Math.floor(piece / 2);
      }
    }
    closeSync(descriptor);
    return filler;
  };
  const remove = async ({ url }: TestServer, runId: number): Promise<number> =>
    (await fetch(`${url}/api/test-runs/${runId}`, { method: 'DELETE' })).status;

  it('is told by /readyz, takes no submissions, and lets runs be deleted', async () => {
    using folder = newFolder();
    using disk = mountDisk(join(folder.path, 'disk'), DISK_BYTES);
    const { reserveBytes } = readConfig({});
    await using server = await startTestServer({ dataDir: join(disk.path, 'data'), databaseUrl: null, reserveBytes });
    const reserve = join(server.dataDir, 'reserve');
    const large = submission({ testCases: [testCase({ error: uniqueBytes(400_000).toString('hex') })] });
    for (let run = 0; run < 3; run++) expect(await submit(server, large)).toBe(200);
    await until('the reserve is there', () => (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0) > 700_000);

    const kept = fillUp(disk.path);
    await until('readiness is no longer kept', async () => (await ready(server)).status === 503);
    expect((await ready(server)).reason).toContain('full');
    expect(await submit(server, large)).toBe(507);
    expect(await remove(server, 1)).toBe(200);
    rmSync(kept);
    await until('it takes submissions again', async () => (await submit(server)) === 200);
    await until(
      'the reserve is there again',
      () => (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0) > 700_000,
    );
    await until('it is ready again', async () => (await ready(server)).status === 200);

    rmSync(reserve);
    fillUp(disk.path);
    expect(await remove(server, 2)).toBe(507);
  });
});

it('a damaged database is told by /readyz once something could not be stored', async () => {
  using folder = newFolder();
  {
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    expect(await submit(server)).toBe(200);
  }
  const path = join(folder.path, 'assay.db');
  const database = new DatabaseSync(path);
  const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'tests'").get()!;
  const { page_size: pageBytes } = database.prepare('PRAGMA page_size').get()!;
  database.close();
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(Number(pageBytes), 0xff), 0, null, (Number(rootpage) - 1) * Number(pageBytes));
  closeSync(descriptor);

  await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
  expect(await submit(server)).toBe(503);
  expect(await ready(server)).toMatchObject({ status: 503, reason: expect.stringContaining('damaged') });
});
