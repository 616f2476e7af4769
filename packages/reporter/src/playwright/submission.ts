import type { FullConfig } from '@playwright/test/reporter';
import { commonArguments } from '../ci/command-line.ts';
import { describeSource } from '../ci/describe-source.ts';
import { purposeOf } from '../ci/purpose.ts';
import { partOf, runKeyOf } from '../ci/run-key.ts';
import type { Source } from '../ci/source.ts';
import type { Beginning } from '../delivery/build-submission.ts';
import { MAX_BEGINNING_BYTES, addMetadata } from '../delivery/metadata.ts';
import type { Options } from '../options/options.ts';
import { relativePath } from '../repository/paths.ts';

export const buildBeginning = (
  options: Options,
  config: FullConfig,
  source: Source,
  root: string,
  startTime: Date,
  args: readonly string[],
): Beginning => {
  const projects = config.projects.map(({ name }) => name).filter((name) => name !== '');
  const { metadata, ...described } = describeSource(source);
  const configFile = config.configFile ? relativePath(root, config.configFile) : '';
  const { shard } = config;
  // The config has all projects, also those that `--project` leaves out.
  const what = [process.platform, process.version, configFile, ...projects, '', ...commonArguments(args, root)];
  const derived = shard && runKeyOf(source.ci, options.projectName, what);
  return {
    projectName: options.projectName,
    startTime: startTime.toISOString(),
    ...described,
    ...partOf(options.runKey ?? derived, shard && { index: shard.current, total: shard.total }),
    metadata: addMetadata(
      options.metadata,
      {
        ...metadata,
        ...purposeOf(options, 'playwright', args),
        playwright: { version: config.version, workers: config.workers, projects },
      },
      MAX_BEGINNING_BYTES,
    ),
  };
};
