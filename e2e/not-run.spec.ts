import { expect, test } from './journey.ts';
import { show } from './pages.ts';

test('a test that did not run leads to the one that failed before it', async ({ page, empty }) => {
  const location = 'tests/order.spec.ts:3:1';
  const { testRunId } = await empty.client.submitRun({
    body: {
      projectName: 'shop',
      status: 'failed',
      startTime: '2026-01-31T09:00:00Z',
      testCases: [
        { title: 'is paid', status: 'failed', error: 'Error: no', location },
        { title: 'is sent', status: 'skipped', location, notRun: { reason: 'serial', title: 'is paid', location } },
        { title: 'is pending', status: 'skipped', annotations: [{ type: 'did not run' }] },
      ],
    },
  });
  await show(page, empty, `/test-runs/${testRunId}?view=list`);
  await expect(page.getByText('Did not run; why was not reported')).toBeVisible();
  const words = 'Did not run because is paid failed before it in its serial group';
  await page.getByText(words).getByRole('link', { name: 'is paid' }).click();
  await expect(page.getByRole('heading', { name: 'is paid' })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'is sent' }).first().click();
  await expect(page.getByText(words)).toBeVisible();
  await page.getByRole('link', { name: 'All results of this test' }).click();
  await expect(page.getByText('Did not run because “is paid” failed').first()).toBeVisible();
});
