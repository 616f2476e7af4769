import type { Submission, SubmittedCase } from '@assay/contract';
import type { FullConfig, TestError } from '@playwright/test/reporter';
import { describeSource } from '../ci/describe-source.ts';
import { runKeyOf } from '../ci/run-key.ts';
import type { Source } from '../ci/source.ts';
import type { Options } from '../options/options.ts';
import { relativePath } from './paths.ts';
import { errorText } from './texts.ts';

/** What is known of a run when it begins. */
export type Beginning = Omit<Submission, 'status' | 'testCases'>;

export const buildBeginning = (
  options: Options,
  config: FullConfig,
  source: Source,
  root: string,
  startTime: Date,
): Beginning => {
  const projects = config.projects.map(({ name }) => name).filter((name) => name !== '');
  const { metadata, ...described } = describeSource(source);
  const beginning: Beginning = {
    projectName: options.projectName,
    startTime: startTime.toISOString(),
    ...described,
    metadata: {
      ...options.metadata,
      ...metadata,
      playwright: { version: config.version, workers: config.workers, projects },
    },
  };
  const configFile = config.configFile ? relativePath(root, config.configFile) : '';
  const { shard } = config;
  const derived = shard && runKeyOf(source.ci, options.projectName, [process.platform, configFile, ...projects]);
  const runKey = options.runKey ?? derived;
  if (runKey) beginning.runKey = runKey.slice(0, 200);
  // Without a key nothing says which run a shard is of, so it is a run of its own. A run that is named but not in shards is
  // the only one, so that the same job tried again takes its place.
  if (runKey) beginning.shard = shard ? { index: shard.current, total: shard.total } : { index: 1, total: 1 };
  return beginning;
};

export const buildSubmission = (
  beginning: Beginning,
  status: string,
  durationMs: number,
  testCases: SubmittedCase[],
  errors: readonly TestError[],
): Submission => {
  const count = (...statuses: string[]): number => testCases.filter((each) => statuses.includes(each.status)).length;
  const metadata = beginning.metadata as Record<string, unknown>;
  return {
    ...beginning,
    status,
    duration: Math.max(0, Math.round(durationMs)),
    totalTests: testCases.length,
    passedTests: count('passed'),
    failedTests: count('failed', 'timedOut', 'interrupted'),
    skippedTests: count('skipped'),
    // Outside of all tests, such as in a file that cannot be loaded.
    metadata: errors.length === 0 ? metadata : { ...metadata, errors: errors.map((error) => errorText([error])) },
    testCases,
  };
};
