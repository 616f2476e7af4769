import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('a run is compared with the last green one, and with any other, by a link that can be shared', async ({
  demoPage: page,
  demo,
}) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  await page.getByRole('link', { name: 'Compare' }).click();
  const other = page.getByRole('combobox', { name: 'With' });
  await other.selectOption('green');
  await expect(page).toHaveURL(new RegExp(`/test-runs/${run}/compare\\?with=green$`));
  const broken = page.getByRole('region', { name: 'New failures' });
  await expect(broken.getByText('Failed').first()).toBeVisible();
  await expect(broken.getByText('Passed').first()).toBeVisible();
  await page.reload();
  await expect(other).toHaveValue('green');
  await expect(page.getByRole('region', { name: 'Compared with' }).getByText('Passed')).toBeVisible();
  await broken.getByRole('link', { name: 'Failed' }).first().click();
  await expect(page).toHaveURL(/\/test-cases\/\d+$/);
  await page.goBack();
  await other.selectOption({ index: 4 });
  await expect(page).toHaveURL(/with=\d+$/);
  await expect(page.getByText(/tests? in both runs/).first()).toBeVisible();
});
