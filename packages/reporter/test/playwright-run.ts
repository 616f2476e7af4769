import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A Playwright project in a folder of its own, inside of a repository. */
export interface Project {
  readonly folder: string;
  /** Of this project alone. */
  readonly spoolDir: string;
  [Symbol.dispose](): void;
}

export interface Ended {
  readonly code: number | null;
  /** What it wrote to both. */
  readonly output: string;
  /** The lines of the reporter. */
  readonly said: string[];
}

const ROOT = join(import.meta.dirname, '../../..');
const CLI = createRequire(import.meta.url).resolve('@playwright/test/cli');
/** For a hook that runs it: every test that fails takes a new worker. */
export const PLAYWRIGHT_TIMEOUT_MS = 180_000;
const REPORTER = join(import.meta.dirname, '../src/index.ts');

export const createProject = (files: Readonly<Record<string, string>>): Project => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reporter-'));
  for (const [name, text] of Object.entries({ 'package.json': '{"type": "module"}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, '.git'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    spoolDir: join(folder, 'spool'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** A config with this reporter and what is given; options come from the environment. */
export const configOf = (settings: string, reporters = ''): string => `
import { defineConfig } from '@playwright/test';
export default defineConfig({
  testDir: 'tests',
  reporter: [['line'], ${reporters} ['${REPORTER}', { projectName: 'shop' }]],
  ${settings}
});
`;

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this has been written. */
  wrote(text: string): Promise<void>;
}

/** Nothing of the environment of these tests gets in but what is given. */
export const startPlaywright = (
  { folder, spoolDir }: Project,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Running => {
  const child = spawn(process.execPath, [CLI, 'test', ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'] ?? tmpdir(),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ASSAY_SPOOL_DIR: spoolDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let noticed = (): void => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      noticed();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      const said = output.split('\n').filter((line) => line.startsWith('Assay: '));
      resolve({ code, output, said });
    });
  });
  const wrote = (text: string): Promise<void> =>
    new Promise((resolve) => {
      noticed = () => {
        if (output.includes(text)) resolve();
      };
      noticed();
    });
  return { child, ended, wrote };
};

export const runPlaywright = (
  project: Project,
  env: Readonly<Record<string, string>>,
  args?: readonly string[],
): Promise<Ended> => startPlaywright(project, env, args).ended;
