import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptIn } from './deliveries.ts';
import { canMount, mountDisk } from './mount-disk.ts';
import { type Project, configOf, createProject, runPlaywright, startPlaywright } from './playwright-run.ts';
import { startProxy } from './proxy.ts';
import { type Service, createService } from './service.ts';

const TINY = `
import { test } from '@playwright/test';
test('passes', () => {});
`;

const LONG = `
import { test } from '@playwright/test';
test('is running', async () => {
  console.log('it has begun');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
test('would follow', () => {});
`;

describe('Playwright', () => {
  let service: Service;
  let project: Project;

  beforeAll(async () => {
    service = await createService();
    project = createProject({
      'playwright.config.ts': configOf('workers: 1'),
      'tests/tiny.spec.ts': TINY,
      'broken/broken.spec.ts': `throw new Error('cannot load');`,
      'broken.config.ts': configOf(`testDir: 'broken'`).replace(`testDir: 'tests',`, ''),
      'long/long.spec.ts': LONG,
      'long.config.ts': configOf(`workers: 1, testDir: 'long'`).replace(`testDir: 'tests',`, ''),
    });
  });
  afterAll(async () => {
    project[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  it('runs as ever when an option is wrong, with one line about it', async () => {
    const { code, said, output } = await runPlaywright(project, { ASSAY_URL: 'assay', ASSAY_TIMEOUT_MS: 'soon' });
    expect(code).toBe(0);
    expect(said).toEqual([
      'Assay: this run will not be sent: serverUrl must be an address such as https://assay.example.org, but is "assay"; timeoutMs must be a number from 1 to 3600000, but is "soon"',
    ]);
    expect(output).toContain('1 passed');
    expect(output).not.toContain('    at ');
  });

  it('runs as ever when nobody answers; the next run brings both', async () => {
    const away = await runPlaywright(project, { ASSAY_URL: service.url, ASSAY_TIMEOUT_MS: '300' });
    expect(away.code).toBe(0);
    expect(away.said).toEqual([
      expect.stringMatching(/^Assay: not sent: .* Kept in .* the next run or `assay flush` sends it$/),
    ]);
    await service.start();
    const back = await runPlaywright(project, { ASSAY_URL: service.url });
    expect(back.said).toEqual([
      expect.stringMatching(/^Assay: 1 passed http/),
      expect.stringMatching(/^Assay: sent a run that was kept: http/),
    ]);
    const runs = await service.runsOf('shop');
    expect(runs).toMatchObject([
      { status: 'passed', testCases: [{ title: 'passes', filePath: 'tests/tiny.spec.ts' }] },
      { status: 'passed', testCases: [{ title: 'passes', filePath: 'tests/tiny.spec.ts' }] },
    ]);
    expect(await keptIn(project.spoolDir)).toEqual([]);
  });

  it.each([
    ['is too slow to wait for', { keepsBack: true, answers: null }, /not done in time/],
    [
      'refuses it',
      { keepsBack: false, answers: 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' },
      /answered 401/,
    ],
  ])('runs as ever when the service %s; the next run brings both', async (_, { keepsBack, answers }, why) => {
    const before = (await service.runsOf('shop')).length;
    await using proxy = await startProxy(service.url);
    proxy.onAnswer = keepsBack ? () => true : null;
    proxy.answers = answers === null ? null : { times: Infinity, text: answers };
    const refused = await runPlaywright(project, { ASSAY_URL: proxy.url, ASSAY_TIMEOUT_MS: '2000' });
    expect(refused.code).toBe(0);
    expect(refused.said).toEqual([expect.stringMatching(why)]);
    expect(await keptIn(project.spoolDir)).toHaveLength(1);
    proxy.onAnswer = null;
    proxy.answers = null;
    const back = await runPlaywright(project, { ASSAY_URL: proxy.url });
    expect(back.said).toEqual([
      expect.stringMatching(/^Assay: 1 passed http/),
      expect.stringMatching(/^Assay: sent a run that was kept: http/),
    ]);
    const runs = await service.runsOf('shop');
    expect(runs).toHaveLength(before + 2);
    for (const run of runs.slice(0, 2))
      expect(run).toMatchObject({ status: 'passed', testCases: [{ title: 'passes' }] });
    expect(await keptIn(project.spoolDir)).toEqual([]);
  });

  it.skipIf(!canMount())('runs as ever when nobody answers and the disk of the spool is full', async () => {
    const before = (await service.runsOf('shop')).length;
    using disk = mountDisk(`${project.folder}/full`, 65_536);
    writeFileSync(`${disk.path}/others`, Buffer.alloc(65_536));
    const env = { ASSAY_URL: 'http://127.0.0.1:9', ASSAY_TIMEOUT_MS: '300', ASSAY_SPOOL_DIR: `${disk.path}/spool` };
    const lost = await runPlaywright(project, env);
    expect(lost.code).toBe(0);
    expect(lost.said).toEqual([expect.stringMatching(/^Assay: this run is lost: .*the disk of .* is full$/)]);
    const back = await runPlaywright(project, { ...env, ASSAY_URL: service.url, ASSAY_TIMEOUT_MS: '20000' });
    expect(back.said).toEqual([expect.stringMatching(/^Assay: 1 passed http/)]);
    expect(await service.runsOf('shop')).toHaveLength(before + 1);
  });

  it('tells a run that was interrupted', async () => {
    const env = { ASSAY_URL: service.url, ASSAY_PROJECT: 'any' };
    const { child, wrote, ended } = startPlaywright(project, env, ['--config=long.config.ts']);
    await wrote('it has begun');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const [run] = await service.runsOf('shop');
    expect(run).toMatchObject({
      status: 'interrupted',
      testCases: [
        { title: 'is running', status: 'interrupted' },
        { title: 'would follow', status: 'skipped', annotations: [{ type: 'did not run' }] },
      ],
    });
  });

  it('tells what went wrong outside of all tests', async () => {
    const { code } = await runPlaywright(project, { ASSAY_URL: service.url }, ['--config=broken.config.ts']);
    expect(code).toBe(1);
    const [run] = await service.runsOf('shop');
    expect(run).toMatchObject({
      status: 'failed',
      totalTests: 0,
      metadata: { errors: expect.arrayContaining([expect.stringContaining('cannot load')]) },
    });
  });

  it('sends nothing when it only lists tests', async () => {
    const before = (await service.runsOf('shop')).length;
    const { code, said } = await runPlaywright(project, { ASSAY_URL: service.url }, ['--list']);
    expect({ code, said }).toEqual({ code: 0, said: [] });
    expect(await service.runsOf('shop')).toHaveLength(before);
    expect(await keptIn(project.spoolDir)).toEqual([]);
  });
});
