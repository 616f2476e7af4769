import type { FullConfig } from '@playwright/test/reporter';
import { describe, expect, it } from 'vitest';
import { detectCi } from '../ci/detect-ci.ts';
import { mergeSource } from '../ci/source.ts';
import { buildSubmission } from '../delivery/build-submission.ts';
import type { Options } from '../options/options.ts';
import { readOptions } from '../options/read-options.ts';
import { buildBeginning } from './submission.ts';

const optionsOf = (given: object): Options => {
  const read = readOptions({ serverUrl: 'http://a', projectName: 'shop', ...given }, {});
  if (!read.ok) throw new Error(read.problems.join());
  return read.options;
};
const configOf = (more: object): FullConfig =>
  ({
    configFile: '/home/ci/shop/pw.ts',
    version: '1.65.0',
    workers: 2,
    projects: [{ name: 'api' }],
    shard: null,
    ...more,
  }) as never;
const CI = { GITHUB_ACTIONS: '1', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '7', GITHUB_RUN_ATTEMPT: '2' };
const SHARD = { shard: { current: 2, total: 3 } };

const beginningOf = (given: object, config: object, env: Record<string, string>, args: string[] = []) =>
  buildBeginning(
    optionsOf(given),
    configOf(config),
    mergeSource({}, detectCi(env), {}),
    '/home/ci/shop',
    new Date('2026-01-02T03:04:05Z'),
    args,
  );

describe('which run a part belongs to', () => {
  it('is told by the CI job when there are shards', () => {
    const { runKey, shard, attempt } = beginningOf({}, SHARD, CI);
    expect({ shard, attempt }).toEqual({ shard: { index: 2, total: 3 }, attempt: 2 });
    expect(runKey).toBe(beginningOf({}, { shard: { current: 1, total: 3 } }, CI).runKey);
    expect(runKey).not.toBe(beginningOf({}, { ...SHARD, projects: [{ name: 'web' }] }, CI).runKey);
    expect(runKey).not.toBe(beginningOf({}, { ...SHARD, configFile: '/home/ci/shop/other.ts' }, CI).runKey);
  });

  it('is another for another command line, whatever differs between its shards', () => {
    const keyOf = (...args: string[]) => beginningOf({}, SHARD, CI, args).runKey;
    const web = keyOf('test', '--project=web', '--shard=1/3', '--reporter', 'blob', '--output=/tmp/1');
    expect(web).toBe(keyOf('test', '--project=web', '--shard', '2/3', '--reporter=dot', '--output', '/tmp/2'));
    expect(web).not.toBe(keyOf('test', '--project=api', '--shard=1/3'));
    expect(keyOf('--config=/home/ci/shop/pw.ts')).toBe(keyOf('--config=/pw.ts'));
  });

  it('is told by the key that is given, of all shards or of the only one', () => {
    expect(beginningOf({ runKey: 'nightly' }, SHARD, {})).toMatchObject({
      runKey: 'nightly',
      shard: { index: 2, total: 3 },
    });
    expect(beginningOf({ runKey: 'nightly' }, {}, CI)).toMatchObject({
      runKey: 'nightly',
      shard: { index: 1, total: 1 },
    });
  });

  it('is a run of its own otherwise', () => {
    expect(beginningOf({}, {}, CI)).not.toHaveProperty('runKey');
    expect(beginningOf({}, SHARD, {})).not.toHaveProperty('shard');
  });
});

it('counts what the cases say, and tells errors outside of them', () => {
  const beginning = beginningOf({ metadata: { team: 'carts' } }, {}, {});
  const cases = ['passed', 'failed', 'timedOut', 'interrupted', 'skipped'].map((status) => ({ title: status, status }));
  const ending = { status: 'failed', durationMs: 12.4, testCases: cases, errors: ['no tests'] };
  const submission = buildSubmission(beginning, ending);
  expect(submission).toMatchObject({
    startTime: '2026-01-02T03:04:05.000Z',
    duration: 12,
    totalTests: 5,
    passedTests: 1,
    failedTests: 3,
    skippedTests: 1,
    metadata: { team: 'carts', playwright: { version: '1.65.0' }, errors: ['no tests'] },
  });
});
