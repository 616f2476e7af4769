import type { TestRunEndReason, Vitest } from 'vitest/node';
import { commonArguments } from '../ci/command-line.ts';
import { describeSource } from '../ci/describe-source.ts';
import { partOf, runKeyOf } from '../ci/run-key.ts';
import type { Source } from '../ci/source.ts';
import type { Beginning } from '../delivery/build-submission.ts';
import { MAX_BEGINNING_BYTES, addMetadata } from '../delivery/metadata.ts';
import type { Options } from '../options/options.ts';
import { relativePath } from '../repository/paths.ts';

export const buildBeginning = (
  options: Options,
  { config, version, projects }: Pick<Vitest, 'config' | 'version' | 'projects'>,
  source: Source,
  root: string,
  startTime: Date,
  args: readonly string[],
): Beginning => {
  const { metadata, ...described } = describeSource(source);
  const names = projects.map(({ name }) => name).filter((name) => name !== '');
  const { shard } = config;
  const common = commonArguments(args, root);
  const what = [process.platform, process.version, 'vitest', relativePath(root, config.root), ...names, '', ...common];
  const derived = shard ? runKeyOf(source.ci, options.projectName, what) : null;
  return {
    projectName: options.projectName,
    startTime: startTime.toISOString(),
    ...described,
    ...partOf(options.runKey ?? derived, shard ? { index: shard.index, total: shard.count } : null),
    metadata: addMetadata(options.metadata, { ...metadata, vitest: { version, projects: names } }, MAX_BEGINNING_BYTES),
  };
};

interface RunOutcome {
  readonly reason: TestRunEndReason;
  readonly failedTests: number;
  readonly errors: readonly unknown[];
}

/**
 * Vitest says `passed` of a run whose errors outside of all tests make it exit with 1. A run that it gave up after as
 * many failures as `bail` allows has failed; nobody interrupted it.
 */
export const statusOfRun = (
  { bail, dangerouslyIgnoreUnhandledErrors }: Pick<Vitest['config'], 'bail' | 'dangerouslyIgnoreUnhandledErrors'>,
  { reason, failedTests, errors }: RunOutcome,
): string => {
  if (reason === 'interrupted') return bail && failedTests >= bail ? 'failed' : reason;
  return errors.length > 0 && !dangerouslyIgnoreUnhandledErrors ? 'failed' : reason;
};
