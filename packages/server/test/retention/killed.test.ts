import { expect, it } from 'vitest';
import { daysAgo, submission } from '../conformance/build.ts';
import { newFolder, startServiceProcess } from '../robustness/service-process.ts';

const RUNS = 300;

it('what a killed process has not deleted, the next one does, and nothing else', async () => {
  using folder = newFolder();
  const projectName = 'killed';
  let newest: { testRunId: number; projectId: number };
  {
    await using service = await startServiceProcess(folder.path);
    const { client } = service;
    for (let nth = 0; nth < RUNS; nth++) {
      await client.submitRun({ body: submission({ projectName, startTime: daysAgo(1_000 - nth) }) });
    }
    newest = await client.submitRun({ body: submission({ projectName, startTime: daysAgo(1) }) });
    await client.setRetention({ body: { days: 30 } });
    const runsLeft = async () => (await client.listProjects())[0]!.totalRuns;
    const running = client.runRetention().catch(() => null);
    await expect.poll(runsLeft, { interval: 1 }).toBeLessThan(RUNS + 1);
    service.signal('SIGKILL');
    await service.exited;
    await running;
  }
  await using service = await startServiceProcess(folder.path);
  const { client } = service;
  const runsTold = async () =>
    (await client.listAudit({ query: { limit: 10 } }))
      .filter(({ action }) => action === 'runs.retention')
      .map(({ details }) => details!['runs'] as number);
  const [project] = await client.listProjects();
  const deletedBefore = RUNS + 1 - project!.totalRuns;
  expect(deletedBefore).toBeGreaterThan(0);
  // What was deleted is told, also by a process that did not come to its end.
  expect(await runsTold()).toEqual([deletedBefore]);
  expect((await client.runRetention()).deletedRuns).toBe(RUNS - deletedBefore);
  expect((await client.getProject({ params: { id: newest.projectId } })).testRuns.map(({ id }) => id)).toEqual([
    newest.testRunId,
  ]);
  expect((await runsTold()).reduce((sum, runs) => sum + runs, 0)).toBe(RUNS);
  expect((await client.listTests({ params: { id: newest.projectId } }))[0]!.totalRuns).toBe(1);
});
