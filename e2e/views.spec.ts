import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('a question is asked, saved, pinned, shared by link, downloaded and deleted', async ({ page, empty }) => {
  const { client, url } = empty;
  await page.goto(url);
  // Pages of tests have a time of their own.
  const now = await page.evaluate(() => Date.now());
  let projectId = 0;
  for (const daysAgo of [3, 2, 2, 0]) {
    const testCases = [
      { title: 'pays', status: 'failed' as const, error: `Error: refused ${daysAgo}`, location: 'pay.spec.ts:3:1' },
      { title: 'reads', status: 'passed' as const, location: 'read.spec.ts:3:1' },
    ];
    const startTime = new Date(now - daysAgo * DAY_MS).toISOString();
    const body = { projectName: 'shop', status: 'failed' as const, branch: 'main', startTime, testCases };
    ({ projectId } = await client.submitRun({ body }));
  }
  await page.goto(`${url}/projects/${projectId}`);
  await page.getByRole('link', { name: 'Query' }).click();
  await page.getByRole('combobox', { name: 'Filter' }).fill('status:failed error:"refused 2"');
  await expect(page.getByRole('link', { name: 'pays' })).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'reads' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Refusals');
  await dialog.getByLabel('Show it on the page of the project').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const saved = page.getByRole('region', { name: 'Saved views' });
  await expect(saved).toContainText('shared, on the project page');
  const link = page.url();

  const csv = page.waitForEvent('download');
  await saved.getByRole('link', { name: 'CSV of Refusals' }).click();
  expect((await csv).suggestedFilename()).toMatch(/^view-\d+\.csv$/);

  // While typing something else, the list is still of what could be read.
  await page.getByRole('combobox', { name: 'Filter' }).fill('colour:red');
  await expect(page.getByText('The list still uses the last valid filter.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'pays' })).toHaveCount(2);

  await showNext(page, empty, `/projects/${projectId}`);
  const pinned = page.getByRole('region', { name: 'Saved views' });
  await expect(pinned).toContainText('2');
  await expect(
    pinned.getByRole('img', { name: /Refusals day by day, the last 30 days: 0 today, at most 2/ }),
  ).toBeVisible();
  await pinned.getByRole('link', { name: 'Refusals' }).click();
  await expect(page).toHaveURL(link);
  await page.getByLabel('Groups').selectOption('By day');
  await expect(page.getByText('2 rows in 1 group')).toBeVisible();

  await saved.getByRole('button', { name: 'Unpin Refusals' }).click();
  await expect(saved).not.toContainText('on the project page');
  await saved.getByRole('button', { name: 'Delete Refusals' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
  await expect(saved).toHaveCount(0);
  // The question itself is in the link.
  await page.goto(link);
  await expect(page.getByRole('link', { name: 'pays' })).toHaveCount(2);
});
