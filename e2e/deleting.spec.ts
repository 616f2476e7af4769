import { at, expect, test } from './journey.ts';
import { findPlaces } from './pages.ts';

test('a clean-up says what would go, and deletes just that', async ({ page, ownDemo }) => {
  const { totalRuns } = await ownDemo.client.getStats();
  const all = `${totalRuns} runs`;
  await page.goto(`${ownDemo.url}/settings/storage`);
  const days = page.getByLabel('Delete runs older than (days)');
  await days.fill('36500');
  await expect(page.getByRole('button', { name: 'Delete 0 runs' })).toBeDisabled();
  await days.fill('0');
  await expect(page.getByText('A whole number of days, from 1')).toBeVisible();
  // The service knows no other time than its own, so every run of the demo is older than a day.
  await days.fill('1');
  await expect(page.getByRole('region', { name: 'Cleanup' })).toContainText(all);
  await page.getByRole('button', { name: `Delete ${all}` }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${all}?` });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await ownDemo.client.getStats()).totalRuns).toBe(totalRuns);
  await page.getByRole('button', { name: `Delete ${all}` }).click();
  await dialog.getByRole('button', { name: 'Delete runs' }).click();
  await expect(page.getByText(`${all} deleted`)).toBeVisible();
  expect((await ownDemo.client.getStats()).totalRuns).toBe(0);
  await expect(page.getByRole('region', { name: 'Audit log' })).toContainText(/cleanup|Clean/i);
});

test('a run is deleted after asking once more', async ({ page, ownDemo }) => {
  const { project, run } = await findPlaces(ownDemo);
  const { totalTests } = await ownDemo.client.getRun({ params: { id: run } });
  const { previousRun } = await ownDemo.client.compareRun({ params: { id: run } });
  await page.goto(`${ownDemo.url}/test-runs/${run}`);
  await page.getByRole('button', { name: 'Delete run' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete run #${run}?` });
  await expect(dialog).toContainText(`${totalTests} results`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete run' }).click();
  await dialog.getByRole('button', { name: 'Delete run' }).click();
  await expect(page).toHaveURL(at(`/projects/${project}`));
  await expect(page.getByRole('list', { name: 'Runs', exact: true }).getByRole('listitem').first()).toContainText(
    `#${previousRun!.id}`,
  );
});
