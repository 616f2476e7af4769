import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';

const accents = (count: number): string => `e${'\u0301'.repeat(count)}`;

test('hundreds of thousands of accents do not hang a page, wherever they are', async ({ page, empty }) => {
  const error = accents(300_000);
  const { testRunId, projectId } = await empty.client.submitRun({
    body: {
      projectName: 'accents',
      status: 'failed',
      startTime: DEMO_END.toISOString(),
      branch: accents(900),
      testCases: Array.from({ length: 50 }, (_, nth) => ({
        title: `pays ${nth} ${accents(900)}`,
        status: 'failed',
        duration: 100,
        location: `tests/${accents(900)}.spec.ts:1:1`,
        tags: [accents(190)],
        ...(nth < 3 ? { error } : {}),
      })),
    },
  });
  const { testCases } = await empty.client.getRun({ params: { id: testRunId } });
  const { id, testId } = testCases[0]!;
  for (const path of [`/projects/${projectId}`, `/test-runs/${testRunId}`, `/test-cases/${id}`, `/tests/${testId}`]) {
    await showNext(page, empty, path);
    const main = page.locator('main');
    await expect(main).toContainText('e\u0301');
    // A text that was laid out has its height, so this waits for the layout.
    expect((await main.boundingBox())!.height).toBeGreaterThan(0);
    expect(await main.textContent()).not.toContain(accents(21));
  }
});
