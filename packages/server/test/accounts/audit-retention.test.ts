import type { AuditEntry } from '@assay/contract';
import { expect, it, vi } from 'vitest';
import { inDatabase } from '../in-database.ts';
import { putDatabase } from '../migrated-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { readConfig } from '../tested-service.ts';
import { call } from './people.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** More than one transaction deletes. */
const MANY = 5_000;
const AGES = [20_000, 800, 366, 364, 31, 29, 0];

/** A data folder whose audit log has many old entries, and then some of other ages. */
const folderWithEntries = async () => {
  const folder = newFolder();
  await putDatabase(folder.path);
  const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
    INSERT INTO audit (time, action, subject) SELECT ?, 'run.delete', 'old' FROM n`;
  await inDatabase(folder.path, many, Date.now() - 400 * DAY_MS);
  for (const age of AGES) {
    const sql = "INSERT INTO audit (time, action, subject) VALUES (?, 'run.delete', ?)";
    await inDatabase(folder.path, sql, Date.now() - age * DAY_MS, `${age} days ago`);
  }
  return folder;
};

const subjectsIn = async (server: TestServer): Promise<string[]> => {
  const entries: AuditEntry[] = await server.client.listAudit({ query: { limit: 1000 } });
  return entries.map(({ subject }) => subject);
};

it('entries of the audit log are kept for ever by 0, and else for as long as the setting says', async () => {
  const { auditRetentionDays } = readConfig({});
  expect(auditRetentionDays).toBe(365);
  using folder = await folderWithEntries();
  let tag: string;
  {
    await using server = await startTestServer({ dataDir: folder.path, auditRetentionDays: 0 });
    tag = (await call(server, '/api/admin/audit?limit=3')).headers.get('etag')!;
  }
  // What it did in the background is done when it has stopped.
  expect(await inDatabase(folder.path, 'SELECT count(*) AS kept FROM audit')).toEqual([{ kept: AGES.length + MANY }]);
  {
    await using server = await startTestServer({ dataDir: folder.path });
    await vi.waitFor(async () => expect(await subjectsIn(server)).toHaveLength(4), 20_000);
    expect(await subjectsIn(server)).toEqual([0, 29, 31, 364].map((age) => `${age} days ago`));
    // No answer from before is taken for the one after.
    const headers = { 'if-none-match': tag };
    expect((await call(server, '/api/admin/audit?limit=3', { headers })).status).toBe(200);
  }
  await using server = await startTestServer({ dataDir: folder.path, auditRetentionDays: 30 });
  await vi.waitFor(async () => expect(await subjectsIn(server)).toHaveLength(2), 20_000);
  expect(await subjectsIn(server)).toEqual(['0 days ago', '29 days ago']);
});

it.each(['-1', '1.5', 'never', '36501'])('SERVICE_AUDIT_RETENTION_DAYS is not %s', (value) => {
  expect(() => readConfig({ SERVICE_AUDIT_RETENTION_DAYS: value })).toThrow(/SERVICE_AUDIT_RETENTION_DAYS/);
});
