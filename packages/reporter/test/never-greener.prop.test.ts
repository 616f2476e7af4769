import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ended, Project } from './project.ts';
import {
  type Runner,
  VERSIONS,
  createProjectWith,
  jestConfigOf,
  runJest,
  runMocha,
  runPlaywrightOf,
  runVitestOf,
} from './runners.ts';
import { type Service, sharedService } from './service.ts';

/** What a test file may hold, in the words that its runner has for it. */
interface Words {
  readonly head: string;
  readonly test: string;
  readonly describe: string;
  readonly beforeAll: string;
  readonly afterAll: string;
  readonly afterEach: string;
}

const GLOBALS = { head: '', test: 'it', describe: 'describe', afterEach: 'afterEach' };
const JEST: Words = { ...GLOBALS, beforeAll: 'beforeAll', afterAll: 'afterAll' };

type Piece =
  | 'passes'
  | 'skipped'
  | 'fails'
  | 'before'
  | 'after'
  | 'afterEach'
  | 'rejection'
  | 'late'
  | 'load'
  | 'exitCode';

const codeOf = (piece: Piece, name: string, words: Words): string => {
  const { test, describe, beforeAll, afterAll, afterEach } = words;
  const throws = `() => { throw new Error('${name}'); }`;
  const inside = (hook: string): string =>
    `${describe}('${name}', () => { ${hook}(${throws}); ${test}('${name} inside', () => {}); });`;
  switch (piece) {
    case 'passes':
      return `${test}('${name}', () => {});`;
    case 'skipped':
      return `${test}.skip('${name}', ${throws});`;
    case 'fails':
      return `${test}('${name}', ${throws});`;
    case 'before':
      return inside(beforeAll);
    case 'after':
      return inside(afterAll);
    case 'afterEach':
      return inside(afterEach);
    case 'rejection':
      return `${test}('${name}', async () => { void Promise.reject(new Error('${name}')); await new Promise((done) => setTimeout(done, 20)); });`;
    case 'late':
      return `${test}('${name}', async () => { setTimeout(${throws}, 5); await new Promise((done) => setTimeout(done, 40)); });`;
    case 'load':
      return `throw new Error('${name}');`;
    case 'exitCode':
      return `${test}('${name}', () => { process.exitCode = 3; });`;
  }
};

interface Setup {
  readonly words: Words;
  readonly fileName: string;
  readonly config: Readonly<Record<string, string>>;
  run(project: Project, installed: string, env: Readonly<Record<string, string>>): Promise<Ended>;
}

const SETUPS: Readonly<Record<Runner, Setup>> = {
  jest: {
    words: JEST,
    fileName: 'tests/N.test.js',
    config: { 'jest.config.js': jestConfigOf('').replace(`'shop'`, 'process.env.ASSAY_PROJECT') },
    run: runJest,
  },
  mocha: {
    words: { ...GLOBALS, beforeAll: 'before', afterAll: 'after' },
    fileName: 'test/N.js',
    config: {},
    run: (project, installed, env) =>
      runMocha(project, installed, env, ['--reporter-option', `projectName=${env['ASSAY_PROJECT']}`]),
  },
  playwright: {
    words: {
      head: `import { test } from '@playwright/test';`,
      test: 'test',
      describe: 'test.describe',
      beforeAll: 'test.beforeAll',
      afterAll: 'test.afterAll',
      afterEach: 'test.afterEach',
    },
    fileName: 'N.spec.ts',
    config: {},
    run: runPlaywrightOf,
  },
  vitest: { words: JEST, fileName: 'N.test.ts', config: {}, run: runVitestOf },
};

const HAZARDS: readonly Piece[] = ['fails', 'before', 'after', 'afterEach', 'rejection', 'late', 'load', 'exitCode'];

/** Mostly tests that pass, and of what may fail a run one thing or few, so that nothing hides it. */
const file = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Piece>('passes', 'skipped') },
    { weight: 1, arbitrary: fc.constantFrom(...HAZARDS) },
  ),
  { minLength: 1, maxLength: 4 },
);
const projects = fc.array(file, { minLength: 1, maxLength: 2 });

let service: Service;
let started = 0;
beforeAll(async () => {
  service = await sharedService();
});

const expectNeverGreener = async (runner: Runner, installed: string, files: readonly (readonly Piece[])[]) => {
  const { words, fileName, config, run } = SETUPS[runner];
  const named = files.map((pieces, at): [string, string] => [
    fileName.replace('N', `f${at}`),
    [words.head, ...pieces.map((piece, nth) => codeOf(piece, `${piece} ${at}${nth}`, words))].join('\n'),
  ]);
  using project = createProjectWith(runner, installed, { ...config, ...Object.fromEntries(named) });
  const projectName = `${runner} ${++started}`;
  const { code, output } = await run(project, installed, { ASSAY_URL: service.url, ASSAY_PROJECT: projectName });
  const runs = await service.runsOf(projectName);
  // Mocha asks for its reporter when it has loaded all files.
  expect(runs.length, output).toBe(runner === 'mocha' && files.flat().includes('load') ? 0 : 1);
  for (const { status } of runs) expect(status, output).toBe(code === 0 ? 'passed' : 'failed');
};

describe.each(Object.entries(VERSIONS) as [Runner, readonly string[]][])('a run of %s', (runner, versions) => {
  it('has passed exactly when its runner has, whatever is in its files', async () => {
    const alone = fc.constantFrom(...HAZARDS).map((piece) => [['passes', piece] as const]);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...versions), fc.oneof(alone, projects), (installed, files) =>
        expectNeverGreener(runner, installed, files),
      ),
      { numRuns: draws(1, 8), endOnFailure: true },
    );
  });
});
