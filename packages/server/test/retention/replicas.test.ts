import { expect, it } from 'vitest';
import { daysAgo, submission } from '../conformance/build.ts';
import { startReplicas } from '../postgres/replicas.ts';

/** More than one transaction deletes. */
const RUNS = 100;

it('replicas that are asked at once delete each run once, and tell each once', async () => {
  await using replicas = await startReplicas(2);
  const [{ client }, { client: other }] = replicas.servers as [
    (typeof replicas.servers)[number],
    (typeof replicas.servers)[number],
  ];
  for (let nth = 0; nth < RUNS; nth++) {
    await client.submitRun({ body: submission({ projectName: 'shared', startTime: daysAgo(100 + nth) }) });
  }
  const { projectId } = await client.submitRun({ body: submission({ projectName: 'shared', startTime: daysAgo(1) }) });
  await client.setRetention({ body: { days: 30 } });
  const answers = await Promise.all([client.runRetention(), other.runRetention()]);
  expect(answers.reduce((sum, { deletedRuns }) => sum + deletedRuns, 0)).toBe(RUNS);
  expect((await other.getProject({ params: { id: projectId } })).totalRuns).toBe(1);
  const told = (await client.listAudit({ query: {} })).filter(({ action }) => action === 'runs.retention');
  expect(told.reduce((sum, { details }) => sum + (details!['runs'] as number), 0)).toBe(RUNS);
});
