import { readFileSync } from 'node:fs';
import type { Submission } from '@assay/contract';
import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('a run is downloaded in five formats, each with what it leaves out, and its JSON makes the same run elsewhere', async ({
  demoPage: page,
  demo,
  empty,
}) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  await page.getByRole('button', { name: 'Download run' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/^Left out: /)).toHaveCount(5);
  const download = async (label: string): Promise<{ name: string; text: string }> => {
    const started = page.waitForEvent('download');
    await dialog.getByRole('link', { name: label, exact: true }).click();
    const file = await started;
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  };
  expect((await download('JUnit XML')).name).toBe(`run-${run}.junit.xml`);
  expect((await download('CTRF')).name).toBe(`run-${run}.ctrf.json`);
  expect((await download('CSV')).name).toBe(`run-${run}.csv`);
  const { name, text } = await download('JSON');
  expect(name).toBe(`run-${run}.json`);
  const { testRunId } = await empty.client.submitRun({ body: JSON.parse(text) as Submission });
  const taken = await empty.client.getRun({ params: { id: testRunId } });
  const { failedTests, passedTests } = await demo.client.getRun({ params: { id: run } });
  expect(taken).toMatchObject({ failedTests, passedTests });
});

test('a list is downloaded as CSV with what it shows, in its order', async ({ demoPage: page, demo }) => {
  const { project, run } = await findPlaces(demo);
  for (const [path, name, column = 'title'] of [
    [`/projects/${project}/tests?filter=passrate%3A%3C100`, 'tests.csv'],
    [`/projects/${project}/slow`, 'slowest-tests.csv'],
    [`/projects/${project}/flaky?days=90d&branch=*`, 'flaky-tests.csv'],
    [`/test-runs/${run}?filter=status%3Afailed`, `run-${run}-results.csv`],
    [`/test-runs/${run}/network`, `run-${run}-requests.csv`, 'route'],
    [`/projects/${project}`, 'runs.csv', 'branch'],
    [`/projects/${project}/causes`, 'causes.csv', 'message'],
    [`/projects/${project}/branches`, 'branches.csv', 'name'],
    ['/', 'projects.csv', 'name'],
    ['/settings/storage', 'storage.csv', 'name'],
  ] as const) {
    await showNext(page, demo, path);
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).first().click();
    const file = await started;
    expect(file.suggestedFilename()).toBe(name);
    const [names, ...records] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(names!.split(',')).toContain(column);
    expect(records.length).toBeGreaterThan(0);
  }
});
