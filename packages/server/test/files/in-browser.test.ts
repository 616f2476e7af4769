import { readFileSync } from 'node:fs';
import type { RunDetails, TestCaseDetails, UploadReply } from '@assay/contract';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { CHROMIUM_FLAGS } from '../../../../scripts/chromium.ts';
import { PLAYWRIGHT_REPORTS_TIMEOUT_MS, type PlaywrightReports, makePlaywrightReports } from '../playwright-reports.ts';
import { until } from '../robustness/service-process.ts';
import { type TestServer, sharedServer } from '../server.ts';
import { zipFolder } from '../zip-folder.ts';

const PATIENCE_MS = 30_000;

let reports: PlaywrightReports;
let server: TestServer;
let browser: Browser;
let uploaded: UploadReply;
let context: BrowserContext;
let page: Page;
let problems: string[];

beforeAll(async () => {
  reports = await makePlaywrightReports(inject('chromium'));
  server = await sharedServer();
  browser = await chromium.launch({ executablePath: inject('chromium'), args: CHROMIUM_FLAGS });
  uploaded = await upload();
}, PLAYWRIGHT_REPORTS_TIMEOUT_MS);
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addCookies([{ name: 'session', value: 'secret', url: server.url }]);
  page = await context.newPage();
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
});
afterEach(() => context.close());

const upload = async (): Promise<UploadReply> => {
  const form = new FormData();
  form.set('projectName', 'shop');
  form.set('testRun', JSON.stringify({ status: 'failed', startTime: '2026-01-31T09:00:00Z' }));
  form.set('testCases', JSON.stringify(reports.traces.map(({ title, status }) => ({ title, status }))));
  form.set('report_html', new Blob([await zipFolder(reports.htmlDir)]), 'html.zip');
  form.set('report_monocart', new Blob([await zipFolder(reports.monocartDir)]), 'monocart.zip');
  for (const [index, blob] of reports.blobs.entries()) {
    form.set(index === 0 ? 'report_blob' : `report_blob-${index + 1}`, new Blob([readFileSync(blob)]), 'blob.zip');
  }
  for (const [index, { file }] of reports.traces.entries()) {
    form.append(`trace_${index}`, new Blob([readFileSync(file)]), 'trace.zip');
  }
  const response = await fetch(`${server.url}/api/test-runs/upload`, { method: 'POST', body: form });
  expect(response.status).toBe(200);
  return (await response.json()) as UploadReply;
};
const pathOf = (type: string): string => uploaded.reports.find((report) => report.type === type)!.path;
const openReport = (type: string) => page.goto(`${server.url}/api/files/${pathOf(type)}`);
const traceOf = (title: string): string =>
  uploaded.traces[reports.traces.findIndex((trace) => trace.title === title)]!.path;

describe("Playwright's report", () => {
  it('shows its tests, its pictures, and opens a trace in our viewer', async () => {
    await openReport('html');
    await page.getByRole('link', { name: 'shows the total' }).first().click();
    await page.getByText('Screenshots').first().click();
    const picture = page.locator('img.screenshot, img[src*="data/"]').first();
    await until('the picture is there', () =>
      picture.evaluate((image: unknown) => (image as { naturalWidth: number }).naturalWidth > 0),
    );
    await page
      .getByRole('link', { name: /view trace/i })
      .first()
      .click();
    await page.waitForURL('**/trace-viewer/index.html?trace=**');
    await page.getByText('Navigate').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('has neither the origin nor the cookies of the session, nor other files', async () => {
    await openReport('html');
    expect(await page.evaluate('[self.origin, document.cookie]')).toEqual(['null', '']);
    const other = `${server.url}/api/files/${traceOf('shows the total')}`;
    for (const target of [`${server.url}/api/projects`, other]) {
      const fetched = await page.evaluate(
        (url) =>
          fetch(url).then(
            ({ status }) => status,
            () => 'blocked',
          ),
        target,
      );
      expect(fetched).toBe('blocked');
    }
  });
});

it('a page of ours runs no script of a report', async () => {
  await page.goto(`${server.url}/healthz`);
  const script = `${server.url}/api/files/${pathOf('html').replace('index.html', 'trace/sw.bundle.js')}`;
  expect((await fetch(script)).status).toBe(200);
  await expect(page.addScriptTag({ url: script })).rejects.toThrow(/script/i);
});

it('a report by Monocart shows its tests', async () => {
  await openReport('monocart');
  await page.getByText('shows the total').first().waitFor();
  expect(problems).toEqual([]);
});

describe('the trace viewer', () => {
  it('opens a stored trace by its link', async () => {
    const run: RunDetails = await server.client.getRun({ params: { id: uploaded.testRunId } });
    const index = reports.traces.findIndex(({ title }) => title === 'shows the total');
    const found: TestCaseDetails = await server.client.getTestCase({ params: { id: run.testCases[index]!.id } });
    await page.goto(`${server.url}${found.traces[0]!.url}`);
    await page.getByText('Navigate').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('opens nothing of others', async () => {
    const response = await page.goto(`${server.url}/trace-viewer/?trace=https://example.org/trace.zip`);
    expect(response!.status()).toBe(400);
  });
});

it('merges the blob reports of shards into one report that shows all tests', async () => {
  const { report } = await server.client.mergeReports({ params: { id: uploaded.testRunId } });
  expect(report).toMatchObject({ type: 'html', label: 'Merged HTML Report' });
  await page.goto(`${server.url}/api/files/${report.path}`);
  for (const title of new Set(reports.traces.map((trace) => trace.title))) {
    await page.getByRole('link', { name: title }).first().waitFor();
  }
  const again = await server.client.mergeReports({ params: { id: uploaded.testRunId } });
  const { reports: listed } = await server.client.getRun({ params: { id: uploaded.testRunId } });
  expect(listed.filter(({ label }) => label === 'Merged HTML Report')).toEqual([again.report]);
});
