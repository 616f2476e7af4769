import type { Submission, SubmittedCase } from '@assay/contract';
import type { FullConfig, TestError } from '@playwright/test/reporter';
import { commonArguments } from '../ci/command-line.ts';
import { describeSource } from '../ci/describe-source.ts';
import { partOf, runKeyOf } from '../ci/run-key.ts';
import type { Source } from '../ci/source.ts';
import { countCases } from '../delivery/counts.ts';
import type { Options } from '../options/options.ts';
import { relativePath } from '../repository/paths.ts';
import { errorText } from './texts.ts';

/** What is known of a run when it begins. */
export type Beginning = Omit<Submission, 'status' | 'testCases'>;

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
    metadata: {
      ...options.metadata,
      ...metadata,
      playwright: { version: config.version, workers: config.workers, projects },
    },
  };
};

export const buildSubmission = (
  beginning: Beginning,
  status: string,
  durationMs: number,
  testCases: SubmittedCase[],
  errors: readonly TestError[],
): Submission => {
  const metadata = beginning.metadata as Record<string, unknown>;
  return {
    ...beginning,
    status,
    duration: Math.max(0, Math.round(durationMs)),
    ...countCases(testCases),
    // Outside of all tests, such as in a file that cannot be loaded.
    metadata: errors.length === 0 ? metadata : { ...metadata, errors: errors.map((error) => errorText([error])) },
    testCases,
  };
};
