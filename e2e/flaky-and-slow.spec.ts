import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('a flaky test is found with how often and since when', async ({ demoPage: page, demo }) => {
  const { project } = await findPlaces(demo, 'mobile-api');
  const [most] = await demo.client.listFlakyTests({
    params: { id: project },
    query: { runs: 100, branch: 'main' },
  });
  const { title, flakyRuns, totalRuns, firstFlaky } = most!;
  await showNext(page, demo, '/');
  await page.getByRole('link', { name: /mobile-api/ }).click();
  await page.getByRole('link', { name: 'Flaky', exact: true }).click();

  const list = page.getByRole('region', { name: 'Flaky tests', exact: true });
  const first = list.getByRole('row').nth(1);
  await expect(first).toContainText(`${flakyRuns} of ${totalRuns} runs`);
  await expect(first).toContainText(`run #${firstFlaky.id}`);
  await page.getByLabel('Order').selectOption('Newest first');
  await expect(page).toHaveURL(/sort=new/);
  await page.getByLabel('Period').selectOption('Last 90 days');
  await expect(page.getByRole('group', { name: 'Flaky tests: main, last 90 days' })).toBeVisible();

  await list.getByRole('link', { name: title, exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title.split(' › ').at(-1)!);
  await expect(page.getByText('flaky results')).toBeVisible();
});

test('the slowest tests tell their durations and where they tend', async ({ demoPage: page, demo }) => {
  const { project } = await findPlaces(demo, 'mobile-api');
  await showNext(page, demo, `/projects/${project}`);
  await page.getByRole('link', { name: 'Slowest', exact: true }).click();
  const rows = page.getByRole('region', { name: 'Slowest tests' }).getByRole('row');
  await expect(rows).toHaveCount(21);
  await expect(rows.nth(1)).toContainText(/Slower|Faster|Stable/);
  await expect(rows.nth(1).getByRole('img', { name: /^Durations of \d+ results/ })).toBeVisible();

  const all = page.getByRole('region', { name: 'Time spent on all tests' });
  await expect(all).toContainText(/\d\d+ tests, \d.* in all: main, latest 100 runs/);
  await page.getByRole('combobox', { name: 'Filter tests' }).fill('total:>1h');
  await expect(all).toContainText(/tests? of \d+, /);

  await rows.nth(1).getByRole('link').first().click();
  const durations = page.getByRole('figure').first();
  await durations.getByText('Show as table').click();
  await expect(durations.getByRole('table').getByRole('row').nth(1)).toContainText(/\d (m?s|m)/);
});

test('a run is measured against its usual duration', async ({ demoPage: page, demo }) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  await expect(page.getByText(/\d+ % slower than usual/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Slowest first');
  await expect(page).toHaveURL(/sort=duration/);
});

test('a point of a trend opens its run', async ({ demoPage: page, demo }) => {
  const { project } = await findPlaces(demo, 'design-system');
  await showNext(page, demo, `/projects/${project}`);
  const chart = page.getByRole('figure', { name: 'Run duration' });
  await chart.getByText('Show as table').click();
  const { runs } = await demo.client.getWindow({ params: { id: project }, query: { branch: 'main', runs: 100 } });
  await expect(chart.getByRole('row')).toHaveCount(runs + 1);
  const drawing = chart.locator('canvas');
  await drawing.scrollIntoViewIfNeeded();
  const { width, height } = (await drawing.boundingBox())!;
  await drawing.hover({ position: { x: width / 2, y: height / 2 }, force: true });
  await expect(chart.getByText(/^#\d+ /).first()).toBeVisible();
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(/\/test-runs\/\d+$/);
});

test('a branch and days that are chosen stay on all pages of the project, and in the address', async ({
  demoPage: page,
  demo,
}) => {
  const { project } = await findPlaces(demo, 'mobile-api');
  const branches = await demo.client.listBranches({ params: { id: project } });
  const { name, totalRuns } = branches.find(({ isDefault }) => !isDefault)!;
  await showNext(page, demo, `/projects/${project}`);
  await page.getByRole('button', { name: 'Branch: main' }).click();
  await page.getByRole('searchbox', { name: 'Search branches' }).fill(name.slice(2).toUpperCase());
  await page.getByRole('dialog', { name: 'Branch' }).getByTitle(name, { exact: true }).click();
  await page.getByLabel('Period').selectOption('Last 90 days');
  await expect(page.getByText(new RegExp(`^${totalRuns} runs?, `))).toBeVisible();
  for (const tab of ['Tests', 'Slowest', 'Flaky', 'Runs']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await expect(page.getByRole('button', { name: `Branch: ${name}` })).toBeVisible();
    await expect(page.getByLabel('Period')).toHaveValue('90d');
  }
  await expect(page).toHaveURL(/branch=.+&days=90d/);
  await page.reload();
  await expect(page.getByRole('button', { name: `Branch: ${name}` })).toBeVisible();
});
