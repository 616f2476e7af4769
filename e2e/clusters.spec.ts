import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('a problem is found from a red run, named, joined with its like and parted again', async ({ page, empty }) => {
  const { client, url } = empty;
  const locator = (name: string): string =>
    `Error: expect(locator).toBeVisible() failed\n\nLocator: getByTestId('${name}')\nTimeout: 5000ms`;
  const send = async (daysAgo: number, errors: Readonly<Record<string, string | null>>) => {
    const testCases = Object.entries(errors).map(([title, error]) => ({
      title,
      status: error === null ? ('passed' as const) : ('failed' as const),
      location: 'pay.spec.ts:3:1',
      error,
    }));
    const startTime = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    return client.submitRun({ body: { projectName: 'shop', status: 'failed', branch: 'main', startTime, testCases } });
  };
  for (const daysAgo of [12, 11, 10, 9, 8]) await send(daysAgo, { pays: locator('pay-now'), reads: null });
  for (const daysAgo of [7, 6, 5, 4]) await send(daysAgo, { pays: null, reads: null });
  const { testRunId, projectId } = await send(1, { pays: locator('buy-now'), reads: 'Error: no book 7' });

  await page.goto(`${url}/test-runs/${testRunId}`);
  await page.getByText('Clusters of failures').click();
  await expect(page.getByText('New in this run')).toHaveCount(2);
  await page.getByRole('link', { name: /buy-now/ }).click();

  await expect(page.getByText('in the latest run of its branches')).toBeVisible();
  await page.getByRole('button', { name: 'Edit note…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Renamed in the shop, not in the tests');
  await dialog.getByLabel('Issue').fill('https://tracker.test/SHOP-7');
  await dialog.getByLabel('Issue').press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Renamed in the shop, not in the tests')).toBeVisible();
  await expect(page.getByRole('link', { name: 'SHOP-7 at tracker.test' })).toBeVisible();

  const similar = page.getByRole('region', { name: 'May be the same' });
  await expect(similar.locator('mark')).toHaveText(['buy', 'pay']);
  await similar.getByRole('button', { name: /^Join cluster/ }).click();
  const joined = page.getByRole('region', { name: 'Joined causes' });
  await expect(joined).toContainText('pay-now');
  await expect(page.getByText('back after 4 runs without it')).toBeVisible();
  await page.getByText('How its state is judged').click();
  await expect(page.getByText('Since it returned, 1 of 1 run of its branches had it')).toBeVisible();

  await showNext(page, empty, `/projects/${projectId}/clusters?state=returned`);
  await expect(page.getByRole('link', { name: /buy-now/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /no book/ })).toBeHidden();
  await page.getByRole('link', { name: /buy-now/ }).click();
  await joined.getByRole('button', { name: /^Part cause/ }).click();
  await expect(joined).toBeHidden();
  await expect(page.getByText('in the latest run of its branches')).toBeVisible();
});
