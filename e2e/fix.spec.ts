import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import { findPlaces } from './pages.ts';

const DAY_MS = 86_400_000;

test('which commit broke a test is said in words', async ({ page, demo }) => {
  const { run } = await findPlaces(demo);
  const { failures } = await demo.client.compareRun({ params: { id: run } });
  const old = failures.find(({ failedRuns }) => failedRuns > 1)!;
  await page.goto(`${demo.url}/test-cases/${old.testCaseId}`);
  await page.getByRole('link', { name: 'All results of this test' }).click();
  const told = page.getByRole('alert');
  await expect(told).toContainText(/Failing on main/);
  await expect(told).toContainText(`first in #${old.failingSince.id} at ${old.failingSince.commit!.slice(0, 7)}`);
  await expect(told).toContainText(/Before, it passed in #\d+/);
});

test('whether a fix of yesterday has held is said in words, of its branch alone', async ({ page, empty }) => {
  const send = async (days: number, branch: string, commit: string, status: string): Promise<number> => {
    const { testRunId } = await empty.client.submitRun({
      body: {
        projectName: 'shop',
        status,
        startTime: new Date(DEMO_END.getTime() - days * DAY_MS).toISOString(),
        branch,
        commit,
        testCases: [{ title: 'pays by card', status, location: 'tests/pay.spec.ts:3:1' }],
      },
    });
    return testRunId;
  };
  await send(4, 'main', 'good', 'passed');
  const broken = await send(3, 'main', 'broken', 'failed');
  await send(1, 'main', 'fixed', 'passed');
  await send(0.5, 'main', 'later', 'passed');
  const last = await send(0.1, 'feat/else', 'else', 'failed');
  const { testCases } = await empty.client.getRun({ params: { id: last } });
  await page.goto(`${empty.url}/tests/${testCases[0]!.testId}`);
  const main = page.getByRole('main');
  await expect(main).toContainText('Passing again on main');
  await expect(main).toContainText(`It passed in 2 runs since it failed in #${broken} at broken, 3 d ago.`);
});
