import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { makePlaywrightReports, PLAYWRIGHT_REPORTS_TIMEOUT_MS, type PlaywrightReports } from './playwright-reports.ts';

let reports: PlaywrightReports;
beforeAll(async () => {
  reports = await makePlaywrightReports(inject('chromium'));
}, PLAYWRIGHT_REPORTS_TIMEOUT_MS);

test('the project ends as it was written to end', () => {
  expect(reports.json.errors).toEqual([]);
  expect(reports.json.stats).toMatchObject({ expected: 4, skipped: 2, unexpected: 1, flaky: 1 });
});

test('every report is where it is said to be', () => {
  expect(readFileSync(join(reports.htmlDir, 'index.html'), 'utf8').includes('playwrightReport')).toBe(true);
  expect(readFileSync(join(reports.monocartDir, 'index.html'), 'utf8').includes('window.reportData')).toBe(true);
  expect(reports.blobs.map((blob) => readFileSync(blob).toString('latin1', 0, 2))).toEqual(['PK', 'PK']);
});

test('every attempt of a test that ran has a trace', () => {
  expect(reports.traces.map(({ title, status, retry }) => `${title} ${retry}: ${status}`).sort()).toEqual([
    'a page that fails says so in its console 0: passed',
    'changes the password 0: passed',
    'counts without a page 0: passed',
    'keeps its items 0: failed',
    'keeps its items 1: passed',
    'shows the name of the user 0: passed',
    'shows the total 0: failed',
  ]);
  expect(reports.traces.every(({ file }) => existsSync(file))).toBe(true);
});
