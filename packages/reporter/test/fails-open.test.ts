import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptIn } from './deliveries.ts';
import { type Project, configOf, createProject, runPlaywright, startPlaywright } from './playwright-run.ts';
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
