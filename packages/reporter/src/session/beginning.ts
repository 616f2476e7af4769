import { commonArguments } from '../ci/command-line.ts';
import { describeSource } from '../ci/describe-source.ts';
import { purposeOf } from '../ci/purpose.ts';
import { partOf, runKeyOf } from '../ci/run-key.ts';
import type { Source } from '../ci/source.ts';
import type { Beginning } from '../delivery/build-submission.ts';
import { MAX_BEGINNING_BYTES, addMetadata } from '../delivery/metadata.ts';
import type { Options } from '../options/options.ts';
import { relativePath } from '../repository/paths.ts';

/** What is known of a run of a test runner when it begins. */
export interface RunnerFacts {
  /** In the metadata of the run. */
  readonly name: 'jest' | 'mocha' | 'cypress' | 'vitest';
  /** In messages. */
  readonly title: 'Jest' | 'Mocha' | 'Cypress' | 'Vitest';
  /** Of the tests. */
  readonly folder: string;
  /** Of the runner's configuration. */
  readonly projects?: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly shard: { readonly index: number; readonly total: number } | null;
}

export const buildBeginning = (
  options: Options,
  { name, folder, projects = [], details, shard }: RunnerFacts,
  source: Source,
  root: string,
  startTime: Date,
  args: readonly string[],
): Beginning => {
  const { metadata, ...described } = describeSource(source);
  // Runs of one pipeline find each other by these parts: another order of them parts its shards.
  const what = [
    process.platform,
    process.version,
    name,
    relativePath(root, folder),
    ...projects,
    '',
    ...commonArguments(args, root),
  ];
  const derived = shard ? runKeyOf(source.ci, options.projectName, what) : null;
  return {
    projectName: options.projectName,
    startTime: startTime.toISOString(),
    ...described,
    ...partOf(options.runKey ?? derived, shard),
    metadata: addMetadata(
      options.metadata,
      { ...metadata, ...purposeOf(options, name, args), [name]: details },
      MAX_BEGINNING_BYTES,
    ),
  };
};
