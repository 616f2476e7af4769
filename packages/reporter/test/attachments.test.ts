import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCaseDetails } from '@assay/contract';
import { beforeAll, expect, inject, it } from 'vitest';
import { CHROMIUM_FLAGS } from '../../../scripts/chromium.ts';
import { flushSpool, keptIn } from './deliveries.ts';
import { PLAYWRIGHT_TIMEOUT_MS, configOf, runPlaywright } from './playwright-run.ts';
import { type Ended, createProject } from './project.ts';
import { startProxy } from './proxy.ts';
import { type Service, sharedService } from './service.ts';

let service: Service;
let ended: Ended;
let kept: string[];

const casesOf = async (projectName: string): Promise<Map<string, TestCaseDetails>> => {
  const [run] = await service.runsOf(projectName);
  const cases = await Promise.all(run!.testCases.map(({ id }) => service.client.getTestCase({ params: { id } })));
  return new Map(cases.map((one) => [one.title, one]));
};

const bytesOf = async (path: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${service.url}/api/files/${path}`)).arrayBuffer());

const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SHOP = `
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

test('is flaky', async ({ playwright }, info) => {
  await info.attach('page.html', { body: '<h1>Try ' + info.retry + '</h1>', contentType: 'text/html' });
  await info.attach('überblick 日本 "1".png', { path: 'shots/front.png', contentType: 'image/png' });
  // A browser for one attempt alone: it takes longer to start than all else.
  if (info.retry > 0) return;
  const browser = await playwright.chromium.launch();
  await expect(await browser.newPage()).toHaveScreenshot('front.png');
});
test('attaches much', async ({}, info) => {
  await info.attach('large.bin', { body: Buffer.alloc(1_100_000), contentType: 'application/octet-stream' });
  for (let at = 0; at < 4; at++) await info.attach('note ' + at, { body: 'x' });
  const gone = info.outputPath('gone.txt');
  writeFileSync(gone, 'soon gone');
  info.attachments.push({ name: 'gone', contentType: 'text/plain', path: gone });
  rmSync(gone);
});
`;

/** One run, sent to three projects: to one from the spool after the workspace was cleaned, and to two by other rules. */
beforeAll(async () => {
  service = await sharedService();
  await using proxy = await startProxy(service.url);
  proxy.answers = { times: Infinity, text: '' };
  const launch = JSON.stringify({ executablePath: inject('chromium'), args: CHROMIUM_FLAGS });
  const use = `use: { screenshot: 'only-on-failure', launchOptions: ${launch} }`;
  const settings = `retries: 1, workers: 1, snapshotPathTemplate: 'shots/{arg}{ext}', ${use}`;
  const limits = { serverUrl: service.url, maxAttachmentMb: 1, maxAttachmentsPerTest: 3 };
  using project = createProject({
    'playwright.config.ts': configOf(settings, '', [
      { projectName: 'attached from the spool', serverUrl: proxy.url, timeoutMs: 200 },
      { projectName: 'attached all', attachments: 'all', ...limits },
      { projectName: 'attached none', attachments: 'off', ...limits },
    ]),
    'tests/shop.spec.ts': SHOP,
  });
  mkdirSync(join(project.folder, 'shots'));
  writeFileSync(join(project.folder, 'shots/front.png'), Buffer.from(ONE_PIXEL, 'base64'));
  ended = await runPlaywright(project, {});
  kept = await keptIn(project.spoolDir);
  rmSync(join(project.folder, 'test-results'), { recursive: true });
  proxy.answers = null;
  await flushSpool(proxy.url, project.spoolDir);
}, PLAYWRIGHT_TIMEOUT_MS);

it('a run is sent to each, or kept', () => {
  const told: unknown = expect.stringMatching(/^Assay: 2 passed, 1 flaky http/);
  expect([ended.code, ended.said], ended.output).toEqual([0, [expect.stringContaining('Kept in'), told, told]]);
  expect(kept).toHaveLength(1);
});

it('screenshots, differences of snapshots and what tests attach arrive from the spool', async () => {
  const cases = await casesOf('attached from the spool');
  const { attachments } = cases.get('is flaky')!;
  expect(attachments.map(({ attempt, name, contentType }) => `${attempt} ${name} ${contentType}`).toSorted()).toEqual(
    [
      '0 error-context text/markdown',
      '0 front-actual.png image/png',
      '0 front-diff.png image/png',
      '0 front-expected.png image/png',
      '0 page.html text/html',
      '0 screenshot image/png',
      '0 überblick 日本 "1".png image/png',
      '1 page.html text/html',
      '1 überblick 日本 "1".png image/png',
    ].toSorted(),
  );
  expect(cases.get('attaches much')!.attachments, 'of a test that passed').toEqual([]);
  for (const { name, path, size } of attachments) {
    const bytes = await bytesOf(path);
    expect(bytes).toHaveLength(size);
    if (name.endsWith('.png')) expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  }
  const page = attachments.find(({ name, attempt }) => name === 'page.html' && attempt === 1)!;
  expect((await bytesOf(page.path)).toString()).toContain('<h1>Try 1</h1>');
});

it('all of them where that is asked for, within limits, and a result says what was left out', async () => {
  const { attachments, attempts } = (await casesOf('attached all')).get('attaches much')!;
  expect(attachments.map(({ name }) => name)).toEqual(['note 0', 'note 1', 'note 2']);
  expect(attempts).toMatchObject([
    {
      leftOut: [
        { name: 'large.bin', contentType: 'application/octet-stream', size: 1_100_000, why: 'larger than 1 MB' },
        { name: 'note 3', contentType: 'text/plain', size: 1, why: 'more than 3 attachments of one test' },
        { name: 'gone', contentType: 'text/plain', size: null, why: 'its file is gone' },
      ],
    },
  ]);
});

it('none where that is asked for', async () => {
  for (const { attachments, attempts } of (await casesOf('attached none')).values()) {
    expect(attachments).toEqual([]);
    expect(attempts?.[0]).not.toHaveProperty('leftOut');
  }
});
