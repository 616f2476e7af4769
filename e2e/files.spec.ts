import { sendBookshop } from '../scripts/send-bookshop.ts';
import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';

test('a newly failing test leads to its trace in place, and to what the page said in its console', async ({
  page,
  empty,
}) => {
  await sendBookshop(empty.client, empty.url, DEMO_END.getTime());
  await page.goto(empty.url);
  await page.getByRole('link', { name: /^Failed bookshop/ }).click();
  const failure = page.getByRole('region', { name: /newly failing/ }).getByRole('listitem');
  await failure.getByRole('link', { name: 'Checkout › pays by card' }).click();

  const difference = page
    .getByRole('region', { name: /^First difference/ })
    .getByRole('listitem')
    .first();
  await expect(difference).toContainText('POST /api/payments was answered 502, otherwise 201');
  await difference.getByRole('link').click();
  await expect(page).toHaveURL(/tab=requests/);

  await page.getByRole('link', { name: 'Open trace' }).click();
  const viewer = page.frameLocator('iframe');
  await viewer.getByRole('treeitem', { name: /Expect "toBeVisible"/ }).click();
  await expect(viewer.getByText('Thank you for your order').first()).toBeVisible();

  await page.getByRole('link', { name: /^Console/ }).click();
  await expect(page.getByText('unknown currency "GPB"').first()).toBeVisible();
});

test('the blobs of a run are made one HTML report, which opens', async ({ page, empty }) => {
  const run = await sendBookshop(empty.client, empty.url, DEMO_END.getTime(), { isMerged: false });
  await page.goto(`${empty.url}/test-runs/${run}`);
  const merge = page.getByRole('button', { name: 'Merge blob reports into one HTML report' });
  await merge.click();
  const link = page.getByRole('link', { name: 'Merged HTML Report' });
  await expect(link).toBeVisible();
  await expect(merge).toHaveCount(0);
  const opened = page.waitForEvent('popup');
  await link.click();
  await expect((await opened).getByText('pays by card')).toBeVisible();
});
