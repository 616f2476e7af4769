import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GivenOptions } from '../src/options/options.ts';

/** How far a sending is, which a busy machine tells and an idle one does not. */
const PROGRESS = /^Assay: sent [\d.]+ of [\d.]+ MB$/;

/** A project with tests in a folder of its own, inside of a repository. */
export interface Project {
  readonly folder: string;
  /** Of this project alone. */
  readonly spoolDir: string;
  [Symbol.dispose](): void;
}

/** What runs the tests of a project, with its reporter of ours. */
export interface TestRunner {
  /** Where its tests import from. */
  readonly module: string;
  /** The config of a project whose tests, in `tests/*.spec.ts`, run one after another, with a reporter for each of these. */
  configFor(...reporters: readonly GivenOptions[]): Readonly<Record<string, string>>;
  start(project: Project, env: Environment, args?: readonly string[]): Running;
  shardArguments(index: number, total: number): string[];
}

type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  /** What it wrote to both. */
  readonly output: string;
  /** The lines of the reporter. */
  readonly said: string[];
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this has been written. */
  wrote(text: string): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../../..');

export const createProject = (files: Readonly<Record<string, string>>): Project => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-reporter-')));
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

/** Runs a script in a project. Nothing of the environment of these tests gets in but what is given. */
export const startIn = ({ folder, spoolDir }: Project, command: readonly string[], env: Environment): Running => {
  const child = spawn(process.execPath, [...command], {
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
      const said = output.split('\n').filter((line) => line.startsWith('Assay: ') && !PROGRESS.test(line));
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
