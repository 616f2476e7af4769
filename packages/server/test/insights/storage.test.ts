import { beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, newName, richCase, submission } from '../conformance/build.ts';
import { file, textFields, upload } from '../files/form.ts';
import { emptyServer, type TestServer } from '../server.ts';

let server: TestServer;
let large: { projectId: number };
let small: { projectId: number };
let uploaded: { projectId: number };
const times = [daysAgo(40), daysAgo(20), daysAgo(3)];

beforeAll(async () => {
  server = await emptyServer();
  small = await server.client.submitRun({ body: submission({ startTime: daysAgo(50) }) });
  const projectName = newName('large');
  const testCases = Array.from({ length: 200 }, (_, n) => richCase({ title: `case ${n}` }));
  for (const startTime of times) {
    large = await server.client.submitRun({ body: submission({ projectName, startTime, testCases }) });
  }
  uploaded = await upload(server, [
    ...textFields(),
    file('report_html', '<!doctype html><title>x</title>', 'index.html'),
  ]);
});

describe('what is stored', () => {
  it('is told for each project, largest first', async () => {
    const { projects } = await server.client.getStorage();
    expect(projects.map(({ id }) => id)).toEqual([large.projectId, uploaded.projectId, small.projectId]);
    const sizes = projects.map(({ databaseBytes, fileBytes }) => databaseBytes + fileBytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(projects[0]).toMatchObject({
      runs: 3,
      results: 600,
      reports: 0,
      traces: 0,
      oldestRun: times[0],
      newestRun: times[2],
    });
    expect(projects[0]!.databaseBytes).toBeGreaterThan(projects[1]!.databaseBytes);
    const { databaseSizeOnDisk } = await server.client.getStats();
    expect(projects[0]!.databaseBytes).toBeLessThan(databaseSizeOnDisk);
  });

  it('adds up to the statistics, files included', async () => {
    const { projects } = await server.client.getStorage();
    const stats = await server.client.getStats();
    const sum = (of: (project: (typeof projects)[number]) => number) =>
      projects.reduce((total, one) => total + of(one), 0);
    expect(sum(({ runs }) => runs)).toBe(stats.totalRuns);
    expect(sum(({ results }) => results)).toBe(stats.totalRunsCases);
    expect(sum(({ reports }) => reports)).toBe(stats.totalReports);
    expect(stats.totalReports).toBe(1);
    expect(sum(({ fileBytes }) => fileBytes)).toBe(stats.reportSizeFromDb + stats.traceSizeFromDb);
  });
});

const oldestRun = async () => (await server.client.getStorage()).projects.map(({ oldestRun }) => oldestRun!).sort()[0];

describe('the preview of a cleanup', () => {
  it('changes nothing and tells exactly what the deletion then deletes', async () => {
    const before = { stats: await server.client.getStats(), oldest: await oldestRun() };
    const preview = await server.client.previewCleanup({ query: { olderThanDays: 10 } });
    expect(preview).toMatchObject({ runs: 4, results: 403, reports: 1, oldestRun: before.oldest });
    expect(preview.fileBytes).toBe(before.stats.reportSizeFromDb);
    expect(preview.databaseBytes).toBeGreaterThan(0);
    expect(preview.projects).toEqual([
      { id: large.projectId, name: expect.any(String), runs: 2, runsLeft: 1 },
      { id: small.projectId, name: expect.any(String), runs: 1, runsLeft: 0 },
      { id: uploaded.projectId, name: expect.any(String), runs: 1, runsLeft: 0 },
    ]);
    expect((await server.client.getStats()).totalRuns).toBe(before.stats.totalRuns);
    const { deletedRuns } = await server.client.cleanUp({ body: { olderThanDays: 10 } });
    expect(deletedRuns).toBe(preview.runs);
    const after = await server.client.getStats();
    expect(before.stats.totalRunsCases - after.totalRunsCases).toBe(preview.results);
    const nothing = await server.client.previewCleanup({ query: { olderThanDays: 10 } });
    expect(nothing).toMatchObject({ runs: 0, results: 0, databaseBytes: 0, oldestRun: null, projects: [] });
  });
});
