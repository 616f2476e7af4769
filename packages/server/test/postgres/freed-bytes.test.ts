import { expect, it } from 'vitest';
import { newName, submission, testCase } from '../conformance/build.ts';
import { createMigrated } from '../migrated-database.ts';
import { startTestServer } from '../server.ts';

const OLD_RUNS = 20;

it('deletions tell by how much less the database stores', async () => {
  await using database = await createMigrated();
  await using server = await startTestServer({ databaseUrl: database.url });
  const { client } = server;
  const stored = async (): Promise<number> => {
    const { projects } = await client.getStorage({});
    return projects.reduce((sum, { databaseBytes }) => sum + databaseBytes, 0);
  };
  const projectName = newName();
  const testCases = Array.from({ length: 50 }, (_, at) => testCase({ title: `test ${at}`, duration: at }));
  let projectId = 0;
  for (let run = 0; run < OLD_RUNS; run++) {
    const startTime = new Date(Date.UTC(2020, 0, 1) + run).toISOString();
    ({ projectId } = await client.submitRun({ body: submission({ projectName, startTime, testCases }) }));
  }
  await client.submitRun({ body: submission({ projectName, startTime: new Date().toISOString(), testCases }) });
  const before = await stored();
  const cleaned = await client.cleanUp({ body: { olderThanDays: 30 } });
  const left = await stored();
  expect(cleaned.deletedRuns).toBe(OLD_RUNS);
  // What is made in the background meanwhile takes a little.
  expect(cleaned.freedBytes / (before - left)).toBeCloseTo(1, 1);
  const deleted = await client.deleteProject({ params: { id: projectId } });
  expect(deleted.deletedRuns).toBe(1);
  expect(deleted.freedBytes / left).toBeCloseTo(1, 1);
});
