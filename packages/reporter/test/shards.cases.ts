import { expect, it } from 'vitest';
import { type Ended, type TestRunner, createProject } from './project.ts';
import type { Service } from './service.ts';

const spec = (module: string, title: string): string => `
import { test } from '${module}';
test('${title}', () => {
  if (process.env['BROKEN']) throw new Error('broken');
});
`;

/** Runs that come in shards. That of one which is tried again takes another run, and is no business of the runner. */
export const shardsCases = (
  runner: TestRunner,
  serviceOfTests: () => Service,
  { triedAgain }: { readonly triedAgain: boolean },
): void => {
  const replaced = triedAgain ? ', one that is tried again is replaced' : '';
  it(`in two shards is one run in any order; a missing shard is told${replaced}`, async () => {
    const service = serviceOfTests();
    using project = createProject({
      ...runner.configFor({ projectName: 'sharded' }),
      'tests/a.spec.ts': spec(runner.module, 'a'),
      'tests/b.spec.ts': spec(runner.module, 'b'),
    });
    const runShard = (index: number, more: Readonly<Record<string, string>> = {}): Promise<Ended> => {
      const ci = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '7', GITHUB_JOB: 'e2e' };
      const env = { ASSAY_URL: service.url, ...ci, ...more };
      return runner.start(project, env, runner.shardArguments(index, 2)).ended;
    };

    await runShard(2, { BROKEN: '1' });
    const [incomplete, ...others] = await service.runsOf('sharded');
    expect(others).toEqual([]);
    expect(incomplete).toMatchObject({
      status: 'failed',
      totalTests: 1,
      failedTests: 1,
      shards: { total: 2, missing: [1] },
    });

    await Promise.all([runShard(1), ...(triedAgain ? [runShard(2, { GITHUB_RUN_ATTEMPT: '2' })] : [])]);
    const [complete, ...more] = await service.runsOf('sharded');
    expect(more).toEqual([]);
    expect(complete).toMatchObject({
      id: incomplete!.id,
      status: triedAgain ? 'passed' : 'failed',
      totalTests: 2,
      failedTests: triedAgain ? 0 : 1,
      shards: { total: 2, missing: [], parts: [{ attempt: 1 }, { attempt: triedAgain ? 2 : 1 }] },
    });
    expect(complete!.testCases.map(({ title }) => title).sort()).toEqual(['a', 'b']);
  });
};
