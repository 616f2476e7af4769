import { expect, test } from './journey.ts';
import { show, showNext } from './pages.ts';

test('a project goes with all that it has, once its name was typed', async ({ page, empty }) => {
  const run = { status: 'passed', startTime: '2026-01-31T09:00:00Z', testCases: [{ title: 'pays', status: 'passed' }] };
  const { projectId } = await empty.client.submitRun({ body: { projectName: 'old shop', ...run } });
  await empty.client.submitRun({ body: { projectName: 'new shop', ...run } });
  await show(page, empty, `/projects/${projectId}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Delete project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete project old shop?' });
  await expect(dialog.getByText('1 run with 1 result')).toBeVisible();
  const button = dialog.getByRole('button', { name: 'Delete project' });
  await dialog.getByLabel('Name of the project').fill('new shop');
  await expect(button).toBeDisabled();
  await dialog.getByLabel('Name of the project').fill('old shop');
  await button.click();
  await expect(page.getByRole('link', { name: 'new shop' }).first()).toBeVisible();
  await expect(page.getByText('old shop')).toHaveCount(0);
  await showNext(page, empty, `/projects/${projectId}`);
  await expect(page.getByText(/There is no project/)).toBeVisible();
});

test('an open page of what somebody else deletes says so', async ({ page, empty }) => {
  const run = { projectName: 'shop', status: 'passed', startTime: '2026-01-31T09:00:00Z' };
  const { projectId, testRunId } = await empty.client.submitRun({ body: run });
  await show(page, empty, `/test-runs/${testRunId}`);
  await expect(page.getByRole('heading', { name: `Run #${testRunId}` })).toBeVisible();
  await empty.client.deleteRun({ params: { id: testRunId } });
  await expect(page.getByText(/There is no run/)).toBeVisible();
  await showNext(page, empty, `/projects/${projectId}`);
  await expect(page.getByRole('heading', { name: 'shop' })).toBeVisible();
  await empty.client.deleteProject({ params: { id: projectId } });
  await expect(page.getByText(/There is no project/)).toBeVisible();
});
