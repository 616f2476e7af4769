import { createRequire } from 'node:module';
import type { GivenOptions } from '../src/options/options.ts';
import { REPORTERS } from './built-reporter.ts';
import { type Ended, type Project, type Running, type TestRunner, startIn } from './project.ts';

const CLI = createRequire(import.meta.url).resolve('@playwright/test/cli');
/** For a hook that runs it: every test that fails takes a new worker. */
export const PLAYWRIGHT_TIMEOUT_MS = 180_000;

/** A config with what is given, and with this reporter once for each of these options; others come from the environment. */
export const configOf = (
  settings: string,
  otherReporters = '',
  reporters: readonly GivenOptions[] = [{ projectName: 'shop' }],
): string => `
import { defineConfig } from '@playwright/test';
export default defineConfig({
  testDir: 'tests',
  reporter: [['line'], ${otherReporters} ${reporters.map((options) => `['${REPORTERS.playwright}', ${JSON.stringify(options)}]`).join()}],
  ${settings}
});
`;

export const startPlaywright = (
  project: Project,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Running => startIn(project, [CLI, 'test', ...args], env);

export const runPlaywright = (
  project: Project,
  env: Readonly<Record<string, string>>,
  args?: readonly string[],
): Promise<Ended> => startPlaywright(project, env, args).ended;

export const PLAYWRIGHT: TestRunner = {
  module: '@playwright/test',
  configFor: (...reporters) => ({ 'playwright.config.ts': configOf('workers: 1', '', reporters) }),
  start: startPlaywright,
  shardArguments: (index, total) => [`--shard=${index}/${total}`, `--output=results-${index}`],
};
