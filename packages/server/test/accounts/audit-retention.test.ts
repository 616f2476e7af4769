import type { AuditEntry } from '@assay/contract';
import { describe, expect, it, vi } from 'vitest';
import { inDatabase } from '../in-database.ts';
import { putDatabase } from '../migrated-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { readConfig } from '../tested-service.ts';
import { call } from './people.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A data folder whose audit log has entries of these ages. */
const folderWith = async (days: readonly number[]) => {
  const folder = newFolder();
  await putDatabase(folder.path);
  for (const age of days) {
    const sql = "INSERT INTO audit (time, action, subject) VALUES (?, 'run.delete', ?)";
    await inDatabase(folder.path, sql, Date.now() - age * DAY_MS, `${age} days ago`);
  }
  return folder;
};

const subjectsIn = async (server: TestServer): Promise<string[]> => {
  const entries: AuditEntry[] = await server.client.listAudit({ query: { limit: 1000 } });
  return entries.map(({ subject }) => subject);
};

describe('entries of the audit log', () => {
  it('are kept for as long as the setting says', async () => {
    using folder = await folderWith([800, 366, 364, 31, 29, 0]);
    const { auditRetentionDays } = readConfig({});
    expect(auditRetentionDays).toBe(365);
    {
      await using server = await startTestServer({ dataDir: folder.path, auditRetentionDays });
      await vi.waitFor(async () => expect(await subjectsIn(server)).toHaveLength(4), 20_000);
      expect(await subjectsIn(server)).toEqual([0, 29, 31, 364].map((age) => `${age} days ago`));
    }
    await using server = await startTestServer({ dataDir: folder.path, auditRetentionDays: 30 });
    await vi.waitFor(async () => expect(await subjectsIn(server)).toHaveLength(2), 20_000);
    expect(await subjectsIn(server)).toEqual(['0 days ago', '29 days ago']);
  });

  it('are kept for ever by 0', async () => {
    using folder = await folderWith([20_000, 1]);
    {
      await using server = await startTestServer({ dataDir: folder.path, auditRetentionDays: 0 });
      expect(await subjectsIn(server)).toHaveLength(2);
    }
    // What it did in the background is done when it has stopped.
    expect(await inDatabase(folder.path, 'SELECT id FROM audit')).toHaveLength(2);
  });

  it('go though there are many, and no answer from before is taken for the one after', async () => {
    using folder = await folderWith([]);
    const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO audit (time, action, subject) SELECT ?, 'run.delete', 'old' FROM n`;
    await inDatabase(folder.path, sql, Date.now() - 400 * DAY_MS);
    await inDatabase(folder.path, "INSERT INTO audit (time, action, subject) VALUES (?, 'setup', 'new')", Date.now());
    let tag: string;
    {
      await using server = await startTestServer({ dataDir: folder.path, auditRetentionDays: 0 });
      tag = (await call(server, '/api/admin/audit?limit=3')).headers.get('etag')!;
    }
    await using server = await startTestServer({ dataDir: folder.path });
    await vi.waitFor(async () => expect(await subjectsIn(server)).toEqual(['new']), 20_000);
    const headers = { 'if-none-match': tag };
    expect((await call(server, '/api/admin/audit?limit=3', { headers })).status).toBe(200);
  });
});

it.each(['-1', '1.5', 'never', '36501'])('SERVICE_AUDIT_RETENTION_DAYS is not %s', (value) => {
  expect(() => readConfig({ SERVICE_AUDIT_RETENTION_DAYS: value })).toThrow(/SERVICE_AUDIT_RETENTION_DAYS/);
});
