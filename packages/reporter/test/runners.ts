import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { REPORTERS } from './built-reporter.ts';
import { type Ended, type Project, createProject, startIn } from './project.ts';

const require = createRequire(import.meta.url);

export type Runner = keyof typeof REPORTERS;

/**
 * The oldest and the newest version that the reporter is for, by the names they are installed under. Two versions of one
 * command cannot be installed side by side: those that begin with `oldest:` have a folder of their own.
 */
export const VERSIONS = {
  jest: ['jest-28', 'jest'],
  mocha: ['mocha-8', 'mocha'],
  playwright: ['oldest:@playwright/test', '@playwright/test'],
  vitest: ['oldest:vitest', 'vitest'],
} as const;

const folderOf = (installed: string): string =>
  installed.startsWith(OLDEST)
    ? join(oldestRunners(), 'node_modules', installed.slice(OLDEST.length))
    : realpathSync(dirname(require.resolve(`${installed}/package.json`)));

const OLDEST = 'oldest:';
const MANIFESTS = join(import.meta.dirname, 'oldest-runners');
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache');

/** Where the runners of `oldest-runners/package.json` are: they are installed once for each lock file. */
const oldestRunners = (): string => {
  const lock = readFileSync(join(MANIFESTS, 'package-lock.json'));
  const folder = join(CACHE, `oldest-runners-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  cpSync(MANIFESTS, fresh, { recursive: true });
  // Not `npm ci`: a lock file that was written elsewhere may lack the binaries of this platform.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: fresh, stdio: 'pipe' });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process may have been first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
};

export const versionOf = (installed: string): string =>
  (JSON.parse(readFileSync(join(folderOf(installed), 'package.json'), 'utf8')) as { version: string }).version;

/** A project that has a runner installed, and nothing else. */
export const createProjectWith = (
  runner: Runner,
  installed: string,
  files: Readonly<Record<string, string>>,
): Project => {
  const project = createProject({
    'package.json': '{}',
    // As in the package that is published.
    'assay.cjs': `module.exports = require('${REPORTERS[runner]}').default;`,
    ...files,
  });
  const modules = join(project.folder, 'node_modules');
  rmSync(modules);
  const place = join(modules, runner === 'playwright' ? '@playwright/test' : runner);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(folderOf(installed), place);
  // What is installed Vitest leaves to Node.
  writeFileSync(join(modules, 'assay.mjs'), `export { default } from '${REPORTERS[runner]}';`);
  return project;
};

/** A config of Jest with this reporter and what is given; options come from the environment. */
export const jestConfigOf = (settings: string, reporters = `'default',`): string => `
module.exports = {
  reporters: [${reporters} ['${REPORTERS.jest}', { projectName: 'shop' }]],
  testEnvironment: 'node',
  transform: {},
  testLocationInResults: true,
  watchman: false,
  ${settings}
};
`;

export const runJest = (
  project: Project,
  installed: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> =>
  startIn(project, [join(folderOf(installed), 'bin/jest.js'), '--ci', '--no-cache', ...args], env).ended;

export const runMocha = (
  project: Project,
  installed: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> => {
  const bin = createRequire(join(folderOf(installed), 'package.json'))('./package.json') as { bin: { mocha: string } };
  const named = args.some((arg) => arg.startsWith('projectName=')) ? [] : ['--reporter-option', 'projectName=shop'];
  const options = ['--reporter', './assay.cjs', ...named];
  return startIn(project, [join(folderOf(installed), bin.bin.mocha), ...options, ...args], env).ended;
};

/** Runs the tests of a project; options come from the environment. */
export const runVitestOf = (
  project: Project,
  installed: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const args = ['run', '--reporter=default', '--reporter=./node_modules/assay.mjs', '--globals'];
  return startIn(project, [join(folderOf(installed), 'vitest.mjs'), ...args], env).ended;
};

export const runPlaywrightOf = (
  project: Project,
  installed: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const args = ['test', `--reporter=line,${REPORTERS.playwright}`, '--workers=1'];
  return startIn(project, [join(folderOf(installed), 'cli.js'), ...args], env).ended;
};
