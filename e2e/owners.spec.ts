import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('an owner finds the failing tests it has, from the page of owners and from a result', async ({
  demoPage: page,
  demo,
}) => {
  const { project, result } = await findPlaces(demo);
  await showNext(page, demo, `/projects/${project}`);
  await page.getByRole('link', { name: 'Owners' }).click();
  const rows = page.getByRole('group', { name: 'Owners' }).getByRole('row');
  await expect(rows.last()).toContainText('Nobody');
  const [name, , failing] = await rows.nth(1).getByRole('cell').allTextContents();
  await rows.nth(1).getByRole('link', { name: failing!, exact: true }).click();
  await expect(page).toHaveURL(/\/tests\?.*filter=owner%3A/);
  await expect(page.getByText(`${failing} tests of `).first()).toBeVisible();
  await showNext(page, demo, `/test-cases/${result}`);
  await page.getByRole('link', { name: name!, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`filter=owner%3A${encodeURIComponent(name!)}`));
});

test('two runs tell which commits only one of them has', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}/compare`);
  await expect(page.getByText(/^This run has \d+ commits? that the other one does not have\.$/)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Commits only in this run' }).getByRole('row').nth(1)).toBeVisible();
});
