import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXPORTS, MAX_EMBEDDED_BYTES, MAX_EMBEDDED_PICTURES, type SubmittedCase } from '@assay/contract';
import { aCase } from '@assay/testkit';
import type { AxeResults } from 'axe-core';
import { type Browser, type Page, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Part, json, runFields, text, upload } from '../files/form.ts';
import { pngOf } from '../files/pictures.ts';
import { sharedServer, type TestServer } from '../server.ts';
import { exportRun } from './read-back.ts';

const RUN = `document.title='ran';fetch('https://evil.test/')`;
/** What would run, load or end a part of the page if it were markup anywhere. */
const HOSTILE = `</title></style></script></textarea>--><script>${RUN}</script><img src=x onerror="${RUN}">" onclick="${RUN}" ' javascript:${RUN} \u0000\u202E&lt; ]]>`;

let server: TestServer;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  server = await sharedServer();
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox', '--disable-gpu'] });
  folder = mkdtempSync(join(tmpdir(), 'assay-html-'));
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

const send = async (testCases: readonly SubmittedCase[], files: readonly Part[] = [], projectName = 'shop') =>
  (
    await upload(server, [
      text('projectName', projectName),
      json('testRun', { ...runFields(), status: 'failed', branch: HOSTILE, metadata: { author: HOSTILE } }),
      json('testCases', [...testCases]),
      ...files,
    ])
  ).testRunId;

/** Opens the export from the disk, and fails when it asks for anything but itself. */
const open = async (id: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> => {
  const file = join(folder, `${id}.html`);
  writeFileSync(file, await (await exportRun(server.url, id, 'html')).text());
  const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 800 }, offline: true });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) throw new Error(`asks for ${request.url()}`);
  });
  await page.goto(url);
  return page;
};

const titles = (page: Page): Promise<string[]> => page.locator('.result:not([hidden]) .title').allTextContents();

it('opens from the disk with failures first, attempts, colours, steps, pictures and filters', async () => {
  const id = await send(
    [
      aCase({ title: 'passes', status: 'passed', location: 'tests/a.spec.ts:1:1', tags: ['@smoke'] }),
      aCase({ title: 'is skipped', status: 'skipped', location: 'tests/a.spec.ts:2:1' }),
      aCase({
        title: 'is flaky',
        status: 'passed',
        location: 'tests/a.spec.ts:3:1',
        retries: 1,
        attempts: [{ status: 'failed', error: 'first try' }, { status: 'passed' }],
      }),
      aCase({
        title: 'fails',
        status: 'failed',
        location: 'tests/b.spec.ts:4:1',
        error: '\u001b[31mred\u001b[39m and \u001b[48;2;10;120;60mfilled\u001b[0m',
        steps: [
          { title: 'opens the cart', duration: 1_500, category: 'step', steps: [{ title: 'clicks', duration: 5 }] },
        ],
        attempts: [{ status: 'failed', output: [{ stream: 'stdout', text: 'printed' }] }],
      }),
      aCase({ title: 'odd', status: 'quarantined', location: 'tests/c.spec.ts' }),
    ],
    [{ name: 'attachment_3', content: pngOf(40, 30), filename: 'screenshot.png', type: 'image/png' }],
  );
  const page = await open(id, 'dark');
  expect(await titles(page)).toEqual(['fails', 'is flaky', 'passes', 'is skipped', 'odd']);
  const failed = page.locator('.result', { hasText: 'fails' });
  expect(await failed.locator('.red').textContent()).toBe('red');
  expect(await failed.locator('.on-green').textContent()).toBe('filled');
  expect(await failed.locator('li').allTextContents()).toEqual(['opens the cart 1.5 sclicks 5 ms', 'clicks 5 ms']);
  expect(await failed.getByText('printed').isVisible()).toBe(true);
  const image = "document.querySelector('img')";
  expect(await page.evaluate(`${image}.decode().then(() => ${image}.naturalWidth)`)).toBe(40);
  expect(await page.locator('.result', { hasText: 'is flaky' }).locator('h2').allTextContents()).toEqual([
    'Attempt 1 · failed',
    'Attempt 2 · passed',
  ]);
  await page.getByRole('button', { name: '1 Failed' }).click();
  expect(await titles(page)).toEqual(['fails']);
  await page.getByRole('button', { name: '5 All' }).click();
  await page.getByRole('searchbox').fill('A.SPEC @smoke');
  await expect.poll(() => titles(page)).toEqual(['passes']);
  expect(await page.getByRole('status').textContent()).toBe('1 of 5 results');
  await page.getByRole('searchbox').fill('nothing like it');
  await expect.poll(() => page.getByText('No result matches the filter.').isVisible()).toBe(true);
  expect(await page.locator('footer').textContent()).toContain(EXPORTS.html.loss);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.getByRole('searchbox').fill('');
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  expect(violations).toEqual([]);
});

it('runs and loads nothing that a run says', async () => {
  const id = await send(
    [
      aCase({
        title: HOSTILE,
        status: 'failed',
        location: `${HOSTILE}:1:1`,
        error: HOSTILE,
        browser: HOSTILE.slice(0, 200),
        tags: [HOSTILE.slice(0, 90)],
        retries: 1,
        annotations: [{ type: HOSTILE, description: HOSTILE }],
        steps: [{ title: HOSTILE, duration: 1, category: HOSTILE, error: HOSTILE }],
        attempts: [
          { status: HOSTILE, error: HOSTILE, stdout: HOSTILE },
          { status: 'failed', stderr: HOSTILE },
        ],
      }),
      aCase({ title: HOSTILE, status: HOSTILE.slice(0, 40), location: HOSTILE }),
    ],
    [
      {
        name: 'attachment_0',
        content: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${RUN}"/>`,
        filename: 'a.svg',
        type: 'image/svg+xml',
      },
    ],
    `shop </title><script>${RUN}</script>`.slice(0, 190),
  );
  const page = await open(id);
  for (const summary of await page.locator('summary').all()) await summary.click();
  await page.locator('.result').first().click();
  expect(await page.title()).toMatch(/^Run #\d+ of shop <\/title><script>/);
  expect(await page.locator('script:not([type])').count()).toBe(1);
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.locator('[onclick], [onerror], [onload]').count()).toBe(0);
  expect(await page.locator('.result').first().locator('pre').first().textContent()).toBe(
    HOSTILE.replace('\u0000', '\uFFFD'),
  );
  expect(await page.getByText('1 picture was left out.').isVisible()).toBe(true);
});

it('has what is no text, and statuses of any name', async () => {
  const half = '\ud83d';
  const id = await send([
    aCase({
      title: 'halves',
      status: 'failed',
      error: `${'x'.repeat(9_999)}😀${'y'.repeat(20_000)}`,
      retries: 1,
      steps: [{ title: half, duration: 1 }],
      attempts: [{ status: half, error: half, stdout: half }, {}],
    }),
    ...['constructor', '__proto__', 'toString'].map((status) => aCase({ title: status, status })),
  ]);
  const page = await open(id);
  expect(await titles(page)).toEqual(['halves', 'constructor', '__proto__', 'toString']);
  expect(await page.locator('.mark').allTextContents()).toEqual(['✕ Failed', 'constructor', '__proto__', 'toString']);
  expect(await page.locator('li').textContent()).toBe('\ufffd 1 ms');
  await page.context().close();
});

it('has pictures up to a limit, and says how many are left out', async () => {
  const count = MAX_EMBEDDED_PICTURES + 3;
  const files = Array.from({ length: count }, (_, at): Part => ({
    name: `attachment_${at}`,
    content: pngOf(2, 2),
    filename: 'screenshot.png',
    type: 'image/png',
  }));
  const id = await send(
    Array.from({ length: count }, (_, at) => aCase({ title: `fails ${at}`, status: 'failed', error: 'no' })),
    files,
  );
  const page = await open(id);
  expect(await page.locator('img').count()).toBe(MAX_EMBEDDED_PICTURES);
  expect(await page.getByText('Its picture was left out.').count()).toBe(3);
  expect(await page.getByText('3 pictures were left out.').count()).toBe(1);
});

it('has pictures and steps up to limits of bytes and count', async () => {
  const picture = (content: Buffer) => ({ content, filename: 'screenshot.png', type: 'image/png' });
  // The second would fit alone.
  const small = pngOf(2, 2);
  const large = Buffer.concat([small, Buffer.alloc(MAX_EMBEDDED_BYTES - 2 * small.length + 1)]);
  const steps = Array.from({ length: 250 }, (_, at) => ({ title: `step ${at}`, duration: 1 }));
  const id = await send(
    ['a', 'b'].map((title) => aCase({ title, status: 'failed', error: 'no', steps: title === 'a' ? steps : [] })),
    [
      { name: 'attachment_0', ...picture(small) },
      { name: 'attachment_1', ...picture(large) },
    ],
  );
  const page = await open(id);
  expect(await page.locator('img').count()).toBe(1);
  expect(await page.getByText('1 picture was left out.').count()).toBe(1);
  expect(await page.locator('li').count()).toBe(201);
  expect(await page.locator('li').last().textContent()).toBe('More steps were left out.');
});

it('makes elements of a few results of many, and lists each of them once', async () => {
  const names = Array.from({ length: 2_500 }, (_, at) => `test ${at}`);
  const id = await send(
    names.map((title, at) =>
      aCase({ title, status: at < 100 || at >= 2_300 ? 'passed' : 'failed', retries: at < 50 ? 1 : 0 }),
    ),
  );
  const page = await open(id);
  expect(await page.locator('details.result').count()).toBe(2_000);
  expect(await page.locator('#list > .result').count()).toBe(300);
  expect(await page.locator('button[data-kind]').allTextContents()).toEqual([
    '2500 All',
    '2200 Failed',
    '50 Flaky',
    '250 Passed',
    '0 Skipped',
    '0 Other',
  ]);
  await page.getByText('Show more of 200 results').click();
  expect((await page.locator('.title').allTextContents()).toSorted()).toEqual(names.toSorted());
});
