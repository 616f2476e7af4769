import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptIn } from './deliveries.ts';
import { failsOpenCases } from './fails-open.cases.ts';
import { PLAYWRIGHT, configOf, runPlaywright, startPlaywright } from './playwright-run.ts';
import { type Project, createProject } from './project.ts';
import { type OpenService, openService } from './service.ts';
import { shardsCases } from './shards.cases.ts';

const LONG = `
import { test } from '@playwright/test';
test('has passed', () => {});
test('is running', async () => {
  console.log('it has begun');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
test('would follow', () => {});
`;

let service: OpenService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('Playwright, whatever the service does,', () => {
  failsOpenCases(PLAYWRIGHT, () => service);
});

describe('Playwright', () => {
  shardsCases(PLAYWRIGHT, () => service, { triedAgain: false });

  let project: Project;

  beforeAll(() => {
    project = createProject({
      'playwright.config.ts': configOf('workers: 1'),
      'tests/tiny.spec.ts': `import { test } from '@playwright/test'; test('passes', () => {});`,
      'broken/broken.spec.ts': `throw new Error('cannot load');`,
      'broken.config.ts': configOf(`testDir: 'broken'`).replace(`testDir: 'tests',`, ''),
      'long/long.spec.ts': LONG,
      'long.config.ts': configOf(`workers: 1, testDir: 'long'`).replace(`testDir: 'tests',`, ''),
    });
  });
  afterAll(() => project[Symbol.dispose]());

  it('shows results while it happens, and tells that it was interrupted', async () => {
    const env = { ASSAY_URL: service.url, ASSAY_PROJECT: 'any' };
    const { child, wrote, ended } = startPlaywright(project, env, ['--config=long.config.ts']);
    await wrote('it has begun');
    await expect
      .poll(() => service.runsOf('shop'))
      .toMatchObject([{ status: 'running', testCases: [{ title: 'has passed', status: 'passed' }] }]);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    const [run] = await service.runsOf('shop');
    expect(run).toMatchObject({
      status: 'interrupted',
      testCases: [
        { title: 'has passed', status: 'passed' },
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
