import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Ended, type Project, createProject, startIn } from './project.ts';

const require = createRequire(import.meta.url);

const REPORTERS = {
  jest: join(import.meta.dirname, '../src/jest/index.ts'),
  mocha: join(import.meta.dirname, '../src/mocha/index.ts'),
};

/** The oldest and the newest version that the reporter is for, by the names they are installed under. */
export const VERSIONS = { jest: ['jest-28', 'jest'], mocha: ['mocha-8', 'mocha'] } as const;

const folderOf = (installed: string): string => realpathSync(dirname(require.resolve(`${installed}/package.json`)));

/** A project that has a runner installed, and nothing else. */
export const createProjectWith = (
  runner: keyof typeof VERSIONS,
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
  mkdirSync(modules);
  symlinkSync(folderOf(installed), join(modules, runner));
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
