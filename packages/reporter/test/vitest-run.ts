import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Ended, type Project, type Running, type TestRunner, startIn } from './project.ts';

const CLI = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const REPORTER = join(import.meta.dirname, '../src/vitest/index.ts');

/** A config with this reporter and what is given; options come from the environment. */
export const vitestConfigOf = (settings: string, reporters = '', options: object = { projectName: 'shop' }): string => `
export default {
  test: {
    include: ['tests/*.spec.ts'],
    maxWorkers: 1,
    reporters: ['default', ${reporters} ['${REPORTER}', ${JSON.stringify(options)}]],
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
  configFor: (projectName) => ({ 'vitest.config.ts': vitestConfigOf('testTimeout: 60_000', '', { projectName }) }),
  start: startVitest,
  shardArguments: (index, total) => [`--shard=${index}/${total}`],
};
