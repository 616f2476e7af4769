import { at, expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('a filter, a view and a sort are in the address and survive a reload, back and forward', async ({
  demoPage: page,
  demo,
}) => {
  const { run } = await findPlaces(demo);
  const { flakyTests, skippedTests, totalTests } = await demo.client.getRun({ params: { id: run } });
  const flaky = new RegExp(`Results${flakyTests} results? of ${totalTests}`);
  const skipped = new RegExp(`Results${skippedTests} results? of ${totalTests}`);
  await showNext(page, demo, `/test-runs/${run}`);
  const results = page.getByRole('region', { name: 'Results' });
  await page.getByRole('button', { name: /Flaky$/ }).click();
  await expect(results).toContainText(flaky);
  await page.getByRole('button', { name: /Skipped$/ }).click();
  await expect(results).toContainText(skipped);
  await page.getByRole('radio', { name: 'By file' }).check();
  await page.getByLabel('Sort').selectOption('Title');
  await expect(page).toHaveURL(at(`/test-runs/${run}?filter=status%3Askipped&view=file&sort=title`));

  await page.reload();
  await expect(results).toContainText(skipped);
  await expect(page.getByRole('combobox', { name: 'Filter results' })).toHaveValue('status:skipped');
  await expect(page.getByRole('radio', { name: 'By file' })).toBeChecked();
  await expect(page.getByLabel('Sort')).toHaveValue('title');

  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'By cause' })).toBeChecked();
  await page.goBack();
  await expect(results).toContainText(flaky);
  await expect(page.getByRole('combobox', { name: 'Filter results' })).toHaveValue('flaky');
  await page.goForward();
  await expect(results).toContainText(skipped);
});

test('a filter that is typed is in the address, also as an expression', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  const { testCases, failedTests } = await demo.client.getRun({ params: { id: run } });
  const retried = testCases.filter(({ retries }) => retries > 1).length;
  await showNext(page, demo, `/test-runs/${run}`);
  const box = page.getByRole('combobox', { name: 'Filter results' });
  await box.fill('t => t.retries > 1');
  await expect(page).toHaveURL(/filter=t\+%3D%3E\+t\.retries\+%3E\+1/);
  await expect(page.getByRole('region', { name: 'Results' })).toContainText(
    `${retried} results of ${testCases.length}`,
  );
  await box.fill('statu:failed');
  await page.getByRole('button', { name: 'Use status' }).click();
  await expect(box).toHaveValue('status:failed');
  await expect(page.getByRole('region', { name: 'Results' })).toContainText(
    `${failedTests} results of ${testCases.length}`,
  );
});

test('the order of the tests and the part of a result are in the address', async ({ demoPage: page, demo }) => {
  const { project } = await findPlaces(demo);
  await showNext(page, demo, `/projects/${project}/tests`);
  await page.getByRole('button', { name: 'Average' }).click();
  await expect(page).toHaveURL(/sort=-avg/);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Average' })).toHaveAttribute('aria-sort', 'descending');

  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('link', { name: /^#\d+/ }).first().click();
  const parts = page.getByRole('navigation', { name: 'Result sections' });
  await parts.getByRole('link', { name: /^Steps/ }).click();
  await page.reload();
  await expect(parts.getByRole('link', { name: /^Steps/ })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('region', { name: 'Steps' })).toBeVisible();
});

test('an unknown page says so, and so does a run that is gone', async ({ page, demo }) => {
  const response = await page.goto(`${demo.url}/no/such/page`);
  expect(response!.status()).toBe(404);
  await expect(page.getByText('There is no such page')).toBeVisible();
  await showNext(page, demo, '/test-runs/999999');
  await expect(page.getByText('There is no run #999999')).toBeVisible();
  await page.getByRole('link', { name: 'All projects' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
});
