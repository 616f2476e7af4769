import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Ended, type TestRunner, createProject } from './project.ts';
import type { Service } from './service.ts';

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'];

const letterSpec = (module: string, letter: string): string => `
import { test } from '${module}';
test('${letter}', () => {
  if (process.env['BROKEN']) throw new Error('broken');
});
`;

const slowSpec = (module: string): string => `
import { existsSync } from 'node:fs';
import { test } from '${module}';
test('first', () => {});
test('second', async () => {
  while (!existsSync('go-on')) await new Promise((resolve) => setTimeout(resolve, 20));
});
test('third', () => {});
`;

/** Runs that come in shards, or while they happen. */
export const partsCases = (runner: TestRunner, serviceOfTests: () => Service): void => {
  it('in three shards is one run in any order; a missing shard is told, one that is tried again is replaced', async () => {
    const specs = LETTERS.map((letter) => [`tests/${letter}.spec.ts`, letterSpec(runner.module, letter)] as const);
    const service = serviceOfTests();
    using project = createProject({ ...runner.configFor('sharded'), ...Object.fromEntries(specs) });
    const runShard = (index: number, more: Readonly<Record<string, string>> = {}): Promise<Ended> => {
      const ci = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '7', GITHUB_JOB: 'e2e' };
      const env = { ASSAY_URL: service.url, ...ci, ...more };
      return runner.start(project, env, runner.shardArguments(index, 3)).ended;
    };

    await Promise.all([runShard(3), runShard(2, { BROKEN: '1' })]);
    const [incomplete, ...others] = await service.runsOf('sharded');
    expect(others).toEqual([]);
    expect(incomplete).toMatchObject({
      status: 'failed',
      totalTests: 4,
      failedTests: 2,
      shards: { total: 3, missing: [1] },
    });

    await Promise.all([runShard(1), runShard(2, { GITHUB_RUN_ATTEMPT: '2' })]);
    const [complete, ...more] = await service.runsOf('sharded');
    expect(more).toEqual([]);
    expect(complete).toMatchObject({
      id: incomplete!.id,
      status: 'passed',
      totalTests: 6,
      failedTests: 0,
      shards: { total: 3, missing: [], parts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 1 }] },
    });
    expect(complete!.testCases.map(({ title }) => title).sort()).toEqual(LETTERS);
  });

  it('shows its results while it happens, and is complete though the service was restarted in the middle', async () => {
    const service = serviceOfTests();
    using project = createProject({ ...runner.configFor('live'), 'tests/slow.spec.ts': slowSpec(runner.module) });
    const { ended } = runner.start(project, { ASSAY_URL: service.url });
    await expect
      .poll(() => service.runsOf('live'), { timeout: 60_000 })
      .toMatchObject([{ status: 'running', testCases: [{ title: 'first' }] }]);
    await service.kill();
    await service.start();
    writeFileSync(join(project.folder, 'go-on'), '');
    const { code, said } = await ended;
    expect({ code, said }).toMatchObject({ code: 0, said: [expect.stringMatching(/^Assay: 3 passed http/)] });
    expect(await service.runsOf('live')).toMatchObject([
      { status: 'passed', totalTests: 3, testCases: [{ title: 'first' }, { title: 'second' }, { title: 'third' }] },
    ]);
  });
};
