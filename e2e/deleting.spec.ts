import { DEMO_END } from './demo-end.ts';
import { at, expect, test } from './journey.ts';
import type { Service } from './service.ts';

const RUNS = 3;

test('a clean-up says what would go, and deletes just that', async ({ page, empty }) => {
  for (let nth = 0; nth < RUNS; nth++) await submitTo(empty);
  const all = `${RUNS} runs`;
  await page.goto(`${empty.url}/settings/storage`);
  const days = page.getByLabel('Delete runs older than (days)');
  await days.fill('36500');
  await expect(page.getByRole('button', { name: 'Delete 0 runs' })).toBeDisabled();
  await days.fill('0');
  await expect(page.getByText('A whole number of days, from 1')).toBeVisible();
  // The service knows no other time than its own, so every run here is older than a day.
  await days.fill('1');
  await expect(page.getByRole('region', { name: 'Cleanup' })).toContainText(all);
  await page.getByRole('button', { name: `Delete ${all}` }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${all}?` });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await empty.client.getStats()).totalRuns).toBe(RUNS);
  await page.getByRole('button', { name: `Delete ${all}` }).click();
  await dialog.getByRole('button', { name: 'Delete runs' }).click();
  await expect(page.getByText(`${all} deleted`)).toBeVisible();
  expect((await empty.client.getStats()).totalRuns).toBe(0);
  await expect(page.getByRole('region', { name: 'Audit log' })).toContainText(/cleanup|Clean/i);
});

test('a run is deleted after asking once more', async ({ page, empty }) => {
  const previous = await submitTo(empty);
  const { projectId: project, testRunId: run } = await submitTo(empty);
  await page.goto(`${empty.url}/test-runs/${run}`);
  await page.getByRole('button', { name: 'Delete run' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete run #${run}?` });
  await expect(dialog).toContainText('2 results');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete run' }).click();
  await dialog.getByRole('button', { name: 'Delete run' }).click();
  await expect(page).toHaveURL(at(`/projects/${project}`));
  await expect(page.getByRole('list', { name: 'Runs', exact: true }).getByRole('listitem').first()).toContainText(
    `#${previous.testRunId}`,
  );
});

const submitTo = ({ client }: Service) =>
  client.submitRun({
    body: {
      projectName: 'shop',
      status: 'passed',
      startTime: DEMO_END.toISOString(),
      testCases: [
        { title: 'pays by card', status: 'passed' },
        { title: 'ships', status: 'passed' },
      ],
    },
  });
