import type { SubmittedCase } from '@assay/contract';
import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';

const resultsOf = (count: number, from = 0): SubmittedCase[] =>
  Array.from({ length: count }, (_, at) => ({
    title: `checks number ${from + at}`,
    status: (from + at) % 10 === 0 ? 'failed' : 'passed',
    duration: 100,
    location: `tests/file-${(from + at) % 7}.spec.ts:${at + 1}:3`,
    ...((from + at) % 10 === 0 ? { error: `expected ${from + at} to be shown` } : {}),
  }));

test('a run is followed while it happens, and what is read does not move', async ({ page, empty }) => {
  const { client } = empty;
  const { testRunId: id, part } = await client.startRun({
    body: { projectName: 'follows', startTime: DEMO_END.toISOString(), branch: 'main', expectedTests: 120 },
    headers: { 'idempotency-key': 'follows' },
  });
  const params = { id };
  await page.goto(`${empty.url}/test-runs/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Running');
  await expect(page.getByText('No tests have finished yet')).toBeVisible();
  await expect(page).toHaveTitle(/^⋯ Run #/);

  await client.addResults({ params, body: { part, batch: 0, testCases: resultsOf(40) } });
  await expect(page.getByText('40 of 120 tests')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Finished tests' })).toHaveAttribute('value', '40');
  const results = page.getByRole('list', { name: 'Results', exact: true }).getByRole('listitem');
  const read = results.filter({ hasText: 'checks number 17' });
  await expect(async () => {
    await results.last().scrollIntoViewIfNeeded();
    await expect(read).toBeInViewport({ timeout: 500 });
  }).toPass();
  const place = await read.boundingBox();

  await client.addResults({ params, body: { part, batch: 1, testCases: resultsOf(40, 40) } });
  const waiting = page.getByRole('button', { name: '40 new results · Show' });
  await expect(waiting).toBeVisible();
  expect(await read.boundingBox()).toEqual(place);
  await waiting.click();
  await expect(page.getByText('80 results', { exact: true })).toBeVisible();

  await client.finishRun({ params, body: { part, status: 'failed', duration: 61_000 } });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Failed');
  await expect(page.getByText('1 m 01 s')).toBeVisible();
  await expect(page).toHaveTitle(/^✗ Run #/);
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon-failed.svg');
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});

test('shards that have not arrived are told on the run and in the list', async ({ page, empty }) => {
  const submit = (index: number) =>
    empty.client.submitRun({
      body: {
        projectName: 'in-shards',
        status: 'passed',
        startTime: DEMO_END.toISOString(),
        duration: 1_000 * index,
        runKey: 'build 7',
        shard: { index, total: 3 },
        testCases: resultsOf(3, index * 10 + 1),
      },
    });
  const { testRunId, projectId } = await submit(3);
  await submit(1);
  await page.goto(`${empty.url}/test-runs/${testRunId}`);
  await expect(page.getByText('shard 2 of 3 is missing')).toBeVisible();
  const shards = page.getByRole('group').filter({ hasText: 'Shards' }).getByRole('listitem');
  await expect(shards).toHaveText([/Shard 1.*3 tests.*1\.0 s/, /Shard 3.*3 tests.*3\.0 s/, /Shard 2.*not received/]);

  await showNext(page, empty, `/projects/${projectId}`);
  const row = page.getByRole('list', { name: 'Runs', exact: true }).getByRole('listitem');
  await expect(row).toContainText('shard 2 of 3 is missing');
  await submit(2);
  await expect(row).not.toContainText('missing');
});
