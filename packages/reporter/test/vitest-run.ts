import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { GivenOptions } from '../src/options/options.ts';
import { REPORTERS } from './built-reporter.ts';
import { type Ended, type Project, type Running, type TestRunner, startIn } from './project.ts';

const CLI = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** As it is installed: Vitest leaves what is there to Node, which takes half of the time. */
const REPORTER = join(inject('sharedFolder'), `of-${process.pid}/node_modules/assay.mjs`);
mkdirSync(dirname(REPORTER), { recursive: true });
writeFileSync(REPORTER, `export { default } from '${REPORTERS.vitest}';`);

/** A config with what is given, and with this reporter once for each of these options; others come from the environment. */
export const vitestConfigOf = (
  settings: string,
  otherReporters = '',
  reporters: readonly GivenOptions[] = [{ projectName: 'shop' }],
): string => `
export default {
  test: {
    include: ['tests/*.spec.ts'],
    maxWorkers: 1,
    reporters: ['default', ${otherReporters} ${reporters.map((options) => `['${REPORTER}', ${JSON.stringify(options)}]`).join()}],
    ${settings}
  },
};
`;

export const startVitest = (
  project: Project,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Running => startIn(project, [CLI, 'run', ...args], env);

export const runVitest = (
  project: Project,
  env: Readonly<Record<string, string>>,
  args?: readonly string[],
): Promise<Ended> => startVitest(project, env, args).ended;

export const VITEST: TestRunner = {
  module: 'vitest',
  configFor: (...reporters) => ({ 'vitest.config.ts': vitestConfigOf('testTimeout: 60_000', '', reporters) }),
  start: startVitest,
  shardArguments: (index, total) => [`--shard=${index}/${total}`],
};
