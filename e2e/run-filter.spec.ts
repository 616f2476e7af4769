import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('the runs of a project are filtered among all that are stored, by a link that can be shared', async ({
  demoPage: page,
  demo,
}) => {
  const { project } = await findPlaces(demo);
  const { runs = [] } = await demo.client.query({
    query: { over: 'runs', project, branch: 'main', filter: 'failed:>0', limit: 1000 },
  });
  await showNext(page, demo, `/projects/${project}`);
  await page.getByRole('combobox', { name: 'Filter runs' }).fill('failed:>0');
  const list = page.getByRole('region', { name: /^Runs/ });
  await expect(list.getByRole('link', { name: `#${runs[0]!.id}`, exact: true })).toBeVisible();
  await expect(page).toHaveURL(/filter=failed/);

  await page.reload();
  await expect(list.getByRole('link', { name: `#${runs[0]!.id}`, exact: true })).toBeVisible();

  await page.getByRole('combobox', { name: 'Filter runs' }).fill('author:nobody');
  await expect(list.getByText('No runs match the filter')).toBeVisible();
  await list.getByText('Clear filter', { exact: true }).click();
  await expect(list.getByText('No runs match the filter')).toHaveCount(0);
});
