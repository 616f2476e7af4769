import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';
import type { Service } from './service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const testCases = [{ title: 'pays by card', status: 'passed' as const, duration: 900, location: 'pay.spec.ts:3:1' }];

/** The service knows no other time than its own: runs are so many days old for it. */
const submit = async ({ client }: Service, days: number, fields: object = {}) => {
  const body = { projectName: 'shop', status: 'passed', startTime: daysAgo(days), testCases, ...fields };
  return client.submitRun({ body });
};

const upload = async ({ client }: Service, days: number) => {
  const form = new FormData();
  form.set('projectName', 'shop');
  form.set('testRun', JSON.stringify({ status: 'passed', startTime: daysAgo(days) }));
  form.set('testCases', JSON.stringify(testCases));
  form.set('report_html', new Blob(['<!doctype html><title>Report</title>']), 'index.html');
  form.set('attachment_0', new Blob(['a note'], { type: 'text/plain' }), 'note.txt');
  return client.uploadRun({ body: form });
};

const openStorage = async (page: Page, service: Service) => {
  await showNext(page, service, '/settings/storage');
  const panel = page.getByRole('region', { name: 'Retention' });
  return {
    panel,
    dryRun: panel.getByRole('region', { name: 'Dry run' }),
    days: panel.getByLabel('Keep runs for (days)'),
    fileDays: panel.getByLabel('Keep files for (days)'),
    runs: panel.getByLabel('Keep the newest (runs)'),
    gigabytes: panel.getByLabel('Keep at most (GB)'),
    branches: panel.getByLabel('Branches to keep'),
    save: panel.getByRole('button', { name: /^Save/ }),
  };
};

test('limits are tried, saved and applied, and the audit log says what they did', async ({ page, empty }) => {
  const { projectId } = await submit(empty, 100);
  for (const days of [95, 91, 1]) await submit(empty, days);
  const { panel, dryRun, days, save } = await openStorage(page, empty);
  await expect(dryRun).toContainText('Nothing would be deleted now.');
  await expect(save).toBeDisabled();
  await days.fill('0');
  await expect(panel.getByText('A whole number of days, from 1')).toBeVisible();
  await expect(save).toBeDisabled();
  await days.fill('90');
  await expect(dryRun).toContainText('This would be deleted now: 3 runs with 3 results.');
  await expect(dryRun).toContainText('shop: 3 of 4 runs');
  await dryRun.getByText('These runs').click();
  await expect(dryRun.getByRole('link', { name: '#1', exact: true })).toBeVisible();
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Save these limits?' });
  await expect(dialog).toContainText('3 runs with 3 results');
  await page.keyboard.press('Escape');
  expect((await empty.client.getRetention()).settings.days).toBeNull();
  await save.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByText('Saved.')).toBeVisible();
  expect((await empty.client.getProject({ params: { id: projectId } })).totalRuns).toBe(4);
  await panel.getByRole('button', { name: 'Apply now' }).click();
  await expect(panel.getByText('3 runs deleted')).toBeVisible();
  await expect(dryRun).toContainText('Nothing would be deleted now.');
  const log = page.getByRole('region', { name: 'Audit log' });
  await expect(log).toContainText('runs.retention');
  await expect(log).toContainText('"runs":3');
  expect((await empty.client.getProject({ params: { id: projectId } })).totalRuns).toBe(1);
});

test.describe('the page about retention says what is so', () => {
  test('when nothing is stored', async ({ page, empty }) => {
    const { dryRun, days } = await openStorage(page, empty);
    await days.fill('1');
    await expect(dryRun).toHaveText('Nothing would be deleted now.');
    const forecast = page.getByRole('region', { name: 'Forecast' });
    // The data folder may have been made just before midnight.
    await expect(forecast).toContainText(/Unknown: (?:0 days|1 day|2 days) recorded so far, 7 are needed/);
    await expect(forecast).toContainText(/ free$/);
  });

  test('of runs and projects of every kind', async ({ page, empty }) => {
    await submit(empty, 50, { projectName: 'of one run' });
    const { projectId } = await submit(empty, 50, { projectName: 'laid aside' });
    await empty.client.updateProject({ params: { id: projectId }, body: { archived: true } });
    await submit(empty, 50, { projectName: 'with branches', branch: 'release/1' });
    await submit(empty, 50, { projectName: 'with branches', branch: 'fix' });
    await empty.client.startRun({
      body: { projectName: 'not complete', startTime: daysAgo(50), runKey: 'live' },
    });
    await submit(empty, -300, { projectName: 'with a clock that is ahead' });
    const { dryRun, days, branches } = await openStorage(page, empty);
    await days.fill('30');
    await expect(dryRun).toContainText('This would be deleted now: 4 runs with 4 results.');
    await expect(dryRun).toContainText('of one run: 1 of 1 run, all of them');
    await expect(dryRun).toContainText('laid aside (archived): 1 of 1 run, all of them');
    await expect(dryRun).toContainText('with branches: 2 of 2 runs, all of them');
    await expect(dryRun).toContainText('1 run beyond a limit would stay: 1 not complete yet.');
    await branches.fill('main, release/*');
    await expect(dryRun).toContainText('This would be deleted now: 3 runs with 3 results.');
    await expect(dryRun).toContainText('with branches: 1 of 2 runs');
    await expect(dryRun).toContainText('2 runs beyond a limit would stay: 1 of kept branches, 1 not complete yet.');
  });

  test('of a pinned run, which lists and its page show', async ({ page, empty }) => {
    const { testRunId, projectId } = await submit(empty, 50);
    await showNext(page, empty, `/test-runs/${testRunId}`);
    const pin = page.getByRole('button', { name: 'Pin run' });
    await expect(pin).toHaveAttribute('aria-pressed', 'false');
    await pin.click();
    await expect(pin).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByText('Pinned')).toBeVisible();
    await showNext(page, empty, `/projects/${projectId}`);
    await expect(page.getByRole('list', { name: 'Runs', exact: true }).getByTitle('Pinned')).toBeVisible();
    const { dryRun, days } = await openStorage(page, empty);
    await days.fill('30');
    await expect(dryRun).toContainText('Nothing would be deleted now.');
    await expect(dryRun).toContainText('1 run beyond a limit would stay: 1 pinned.');
    await showNext(page, empty, `/test-runs/${testRunId}`);
    await pin.click();
    await expect(page.getByText('Pinned')).toHaveCount(0);
  });

  test('of a project without settings of its own, and with some', async ({ page, empty }) => {
    const { projectId } = await submit(empty, 50);
    await empty.client.setRetention({ body: { days: 30, keepBranches: ['main'] } });
    await showNext(page, empty, `/projects/${projectId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('link', { name: 'Retention' }).click();
    const panel = page.getByRole('region', { name: 'Retention' });
    const dryRun = panel.getByRole('region', { name: 'Dry run' });
    await expect(panel.getByRole('radio', { name: /^Those of the installation/ })).toBeChecked();
    await expect(panel).toContainText('Kept: runs for 30 days. Runs of main stay.');
    await expect(dryRun).toContainText('1 run with 1 result');
    await panel.getByRole('radio', { name: /^Its own/ }).check();
    await panel.getByLabel('Keep runs for (days)').fill('60');
    await expect(dryRun).toHaveText('Nothing would be deleted now.');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByText('Saved.')).toBeVisible();
    const { panel: ofAll, dryRun: dryRunOfAll } = await openStorage(page, empty);
    await expect(ofAll).toContainText('shop: Kept: runs for 60 days. Runs of main stay.');
    await expect(dryRunOfAll).toHaveText('Nothing would be deleted now.');
    await ofAll.getByRole('link', { name: 'shop' }).click();
    await expect(panel.getByRole('radio', { name: /^Its own/ })).toBeChecked();
    await panel.getByRole('radio', { name: /^Those of the installation/ }).check();
    await panel.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByText('Saved.')).toBeVisible();
    expect((await empty.client.getRetention()).projects).toEqual([]);
  });

  test('of files that are gone while the results stay', async ({ page, empty }) => {
    const { testRunId } = await upload(empty, 20);
    const { testCases: stored } = await empty.client.getRun({ params: { id: testRunId } });
    const { panel, dryRun, fileDays, save } = await openStorage(page, empty);
    await fileDays.fill('14');
    await expect(dryRun).toContainText('the files of 1 run, whose results stay');
    await expect(dryRun).toContainText('1 report, 1 attachment');
    await save.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('button', { name: 'Apply now' }).click();
    await expect(panel.getByText('0 runs deleted')).toBeVisible();
    for (const path of [`/test-runs/${testRunId}`, `/test-cases/${stored[0]!.id}`]) {
      await showNext(page, empty, path);
      await expect(page.getByText('Files were removed by retention')).toBeVisible();
      await expect(page.getByRole('link', { name: /Report|note\.txt/ })).toHaveCount(0);
      await expect(page.getByText('No details for this result')).toHaveCount(0);
    }
    await showNext(page, empty, `/test-runs/${testRunId}`);
    await expect(page.getByText('pays by card')).toBeVisible();
  });

  test('of a limit that is lower than what has to stay', async ({ page, empty }) => {
    for (const days of [3, 2, 1]) await submit(empty, days);
    const { dryRun, gigabytes, runs } = await openStorage(page, empty);
    await gigabytes.fill('0,0000001');
    await expect(dryRun).toContainText(/shop: 2 of 3 runs; still \d.* above the limit with what stays/);
    await gigabytes.fill('');
    await runs.fill('1');
    await expect(dryRun).toContainText('shop: 2 of 3 runs');
  });
});
