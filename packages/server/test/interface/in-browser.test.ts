import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UploadReply } from '@assay/contract';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CHROMIUM_FLAGS } from '../../../../scripts/chromium.ts';
import { zipOf } from '../files/archives.ts';
import { beside, filePath } from '../files/form.ts';
import { until } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';

/** Built as `packages/web/build/boot-script.ts` does. */
const FILES = {
  'index.html':
    '<!doctype html><title>-</title><script>document.head.append(Object.assign(document.createElement("script"), { type: "module", src: "/assets/main.js" }))</script><script src="/assets/parsed.js"></script>',
  'assets/main.js':
    'import { text } from "./part.js"; const { more } = await import("./later.js"); const worker = new SharedWorker("/assets/worker.js"); worker.port.onmessage = ({ data }) => { document.title = text + more + data; }; worker.port.start();',
  'assets/part.js': 'export const text = "a";',
  'assets/later.js': 'export const more = "b";',
  'assets/worker.js': 'onconnect = ({ ports }) => ports[0].postMessage("c");',
  'assets/parsed.js': 'document.title = "not one that was imported";',
};

const webDir = mkdtempSync(join(tmpdir(), 'assay-web-'));
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(join(webDir, 'assets'));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(webDir, name), content);
  server = await startTestServer({ webDir });
  browser = await chromium.launch({ executablePath: inject('chromium'), args: CHROMIUM_FLAGS });
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(webDir, { recursive: true });
});

/** The address of a script that was uploaded as a part of a report. */
const uploadScript = async (): Promise<string> => {
  const report = await zipOf({ 'index.html': '<!doctype html>', 'a.js': 'document.title = "taken over";' });
  const form = new FormData();
  form.set('projectName', 'shop');
  form.set('testRun', JSON.stringify({ status: 'passed', startTime: '2026-01-31T09:00:00Z' }));
  form.set('testCases', '[]');
  form.set('report_html', new Blob([new Uint8Array(report)]), 'report.zip');
  const answer = await fetch(`${server.url}/api/test-runs/upload`, { method: 'POST', body: form });
  const { reports } = (await answer.json()) as UploadReply;
  return filePath(beside(reports[0]!.path, 'a.js'));
};

it('a page runs its own script and what that imports, and no script of this host that its markup names', async () => {
  const script = await uploadScript();
  const page = await browser.newPage();
  const refused: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && refused.push(message.text()));
  page.on('response', (response) => asked.push(response.url()));
  await page.goto(server.url);
  await until('all of them ran', async () => (await page.title()) === 'abc');
  expect(refused).toEqual([expect.stringMatching(/parsed\.js.*strict-dynamic/s)]);
  await page.evaluate(`document.write('<script src="${script}"><' + '/script><p>written</p>')`);
  await page.waitForSelector('text=written');
  expect(refused).toEqual([refused[0], expect.stringMatching(/a\.js.*strict-dynamic/s)]);
  expect(asked.filter((url) => /a\.js|parsed\.js/.test(url))).toEqual([]);
  expect(await page.title()).not.toMatch(/taken over|not one/);
});
