import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { submission, testCase } from '../conformance/build.ts';
import { openEvents } from '../events/read-events.ts';
import { startTestServer } from '../server.ts';
import { newFolder } from './service-process.ts';

const PATHS = [
  '/api/projects',
  '/api/projects/1',
  '/api/projects/1/test-cases',
  '/api/projects/1/slow-tests',
  '/api/test-runs/2',
  '/api/test-cases/2097152',
  '/api/admin/stats',
  '/api/admin/storage',
  '/api/admin/audit',
];

/** What a client knows of a data folder after another run was stored, and something deleted, in it. */
const visit = async (dataDir: string, title: string) => {
  await using server = await startTestServer({ dataDir, databaseUrl: null });
  await server.client.submitRun({ body: submission({ projectName: 'shop', testCases: [testCase({ title })] }) });
  const { testRunId } = await server.client.submitRun({ body: submission({ projectName: 'shop' }) });
  await server.client.deleteRun({ params: { id: testRunId } });
  const known = new Map<string, { etag: string; body: string }>();
  for (const path of PATHS) {
    const response = await fetch(`${server.url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    known.set(path, { etag: response.headers.get('etag')!, body: await response.text() });
  }
  const events = await openEvents(server);
  const hello = (await events.next())?.data as { installation: string; revision: string };
  events.close();
  return { known, hello };
};

describe('after a backup was restored and the same number of changes made', () => {
  it('no ETag names another answer than before, and the stream of events says another revision', async () => {
    using folder = newFolder();
    const dataDir = join(folder.path, 'data');
    const backup = join(folder.path, 'backup');
    {
      await using server = await startTestServer({ dataDir, databaseUrl: null });
      await server.client.submitRun({ body: submission({ projectName: 'shop' }) });
    }
    cpSync(dataDir, backup, { recursive: true });
    const before = await visit(dataDir, 'as it was');
    rmSync(dataDir, { recursive: true });
    cpSync(backup, dataDir, { recursive: true });
    const after = await visit(dataDir, 'as it is now');

    for (const path of PATHS) {
      const [was, is] = [before.known.get(path)!, after.known.get(path)!];
      if (was.body !== is.body) expect([path, is.etag]).not.toEqual([path, was.etag]);
    }
    const changed = PATHS.filter((path) => before.known.get(path)!.body !== after.known.get(path)!.body);
    expect(changed).toEqual(expect.arrayContaining(['/api/projects', '/api/test-runs/2', '/api/admin/audit']));
    expect(after.hello.installation).toBe(before.hello.installation);
    expect(after.hello.revision).not.toBe(before.hello.revision);
  });
});
