import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCaseDetails } from '@assay/contract';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CHROMIUM_FLAGS } from '../../../scripts/chromium.ts';
import { flushSpool, keptIn } from './deliveries.ts';
import { PLAYWRIGHT_TIMEOUT_MS, configOf, runPlaywright } from './playwright-run.ts';
import { createProject } from './project.ts';
import { type Service, createService, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const casesOf = async ({ client, runsOf }: Service, projectName: string): Promise<Map<string, TestCaseDetails>> => {
  const [run] = await runsOf(projectName);
  const cases = await Promise.all(run!.testCases.map(({ id }) => client.getTestCase({ params: { id } })));
  return new Map(cases.map((one) => [one.title, one]));
};

const bytesOf = async ({ url }: Service, path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${url}/api/files/${path}`)).arrayBuffer());

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SHOP = `
import { expect, test } from '@playwright/test';

test('looks as it did', async ({ page }) => {
  await page.setContent('<h1>Shop</h1>');
  await expect(page).toHaveScreenshot('front.png');
});
test('is flaky', async ({ page }, info) => {
  await page.setContent('<h1>Try ' + info.retry + '</h1>');
  await info.attach('page.html', { body: await page.content(), contentType: 'text/html' });
  await info.attach('überblick 日本 "1".png', { body: await page.screenshot(), contentType: 'image/png' });
  expect(info.retry).toBe(1);
});
test('passes', async ({}, info) => {
  await info.attach('note.txt', { body: 'not wanted', contentType: 'text/plain' });
});
`;

it(
  'screenshots, differences of snapshots and what tests attach arrive from the spool, after the workspace was cleaned',
  { timeout: PLAYWRIGHT_TIMEOUT_MS },
  async () => {
    await using later = await createService();
    const launch = JSON.stringify({ executablePath: inject('chromium'), args: CHROMIUM_FLAGS });
    const use = `use: { screenshot: 'only-on-failure', launchOptions: ${launch} }`;
    const project = createProject({
      'playwright.config.ts': configOf(`retries: 1, workers: 1, snapshotPathTemplate: 'shots/{arg}{ext}', ${use}`),
      'tests/shop.spec.ts': SHOP,
    });
    try {
      mkdirSync(join(project.folder, 'shots'));
      writeFileSync(join(project.folder, 'shots/front.png'), Buffer.from(ONE_PIXEL, 'base64'));
      const ended = await runPlaywright(project, { ASSAY_URL: later.url, ASSAY_TIMEOUT_MS: '200' });
      expect(ended.code, ended.output).toBe(1);
      expect(ended.said).toEqual([expect.stringContaining('Kept in')]);
      expect(await keptIn(project.spoolDir)).toHaveLength(1);
      rmSync(join(project.folder, 'test-results'), { recursive: true });
      await later.start();
      await flushSpool(later.url, project.spoolDir);
    } finally {
      project[Symbol.dispose]();
    }
    const cases = await casesOf(later, 'shop');
    const told = (title: string): string[] =>
      cases.get(title)!.attachments.map(({ attempt, name, contentType }) => `${attempt} ${name} ${contentType}`);
    const ofAttempt = (attempt: number): string[] => [
      `${attempt} front-expected.png image/png`,
      `${attempt} front-actual.png image/png`,
      `${attempt} front-diff.png image/png`,
      `${attempt} screenshot image/png`,
      `${attempt} error-context text/markdown`,
    ];
    expect(told('looks as it did').toSorted()).toEqual([...ofAttempt(0), ...ofAttempt(1)].toSorted());
    expect(told('is flaky').toSorted()).toEqual(
      [
        '0 page.html text/html',
        '0 überblick 日本 "1".png image/png',
        '0 screenshot image/png',
        '0 error-context text/markdown',
        '1 page.html text/html',
        '1 überblick 日本 "1".png image/png',
      ].toSorted(),
    );
    expect(told('passes')).toEqual([]);
    for (const { name, path, size } of cases.get('looks as it did')!.attachments) {
      const bytes = await bytesOf(later, path);
      expect(bytes).toHaveLength(size);
      if (name.endsWith('.png')) expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    }
    const page = cases.get('is flaky')!.attachments.find(({ name, attempt }) => name === 'page.html' && attempt === 1)!;
    expect((await bytesOf(later, page.path)).toString()).toContain('<h1>Try 1</h1>');
  },
);

const BULKY = `
import { rmSync, writeFileSync } from 'node:fs';
import { test } from '@playwright/test';

test('attaches much', async ({}, info) => {
  await info.attach('large.bin', { body: Buffer.alloc(1_100_000), contentType: 'application/octet-stream' });
  for (let at = 0; at < 4; at++) await info.attach('note ' + at, { body: 'x' });
  const gone = info.outputPath('gone.txt');
  writeFileSync(gone, 'soon gone');
  info.attachments.push({ name: 'gone', contentType: 'text/plain', path: gone });
  rmSync(gone);
});
`;

it('all of them where that is asked for, within limits, and a result says what was left out', async () => {
  using project = createProject({ 'playwright.config.ts': configOf(''), 'tests/bulky.spec.ts': BULKY });
  const env = { ASSAY_URL: service.url, ASSAY_MAX_ATTACHMENT_MB: '1', ASSAY_MAX_ATTACHMENTS_PER_TEST: '3' };
  for (const [wanted, names] of [
    ['all', ['note 0', 'note 1', 'note 2']],
    ['off', []],
  ] as const) {
    const { code, output, said } = await runPlaywright(project, {
      ...env,
      ASSAY_ATTACHMENTS: wanted,
      ASSAY_RUN_KEY: wanted,
    });
    expect([code, said], output).toEqual([0, [expect.stringContaining('1 passed')]]);
    const { attachments, attempts } = (await casesOf(service, 'shop')).get('attaches much')!;
    expect(attachments.map(({ name }) => name)).toEqual(names);
    const [{ leftOut }] = attempts as [{ leftOut?: object[] }];
    expect(leftOut).toEqual(
      wanted === 'off'
        ? undefined
        : [
            { name: 'large.bin', contentType: 'application/octet-stream', size: 1_100_000, why: 'larger than 1 MB' },
            { name: 'note 3', contentType: 'text/plain', size: 1, why: 'more than 3 attachments of one test' },
            { name: 'gone', contentType: 'text/plain', size: null, why: 'its file is gone' },
          ],
    );
  }
});
