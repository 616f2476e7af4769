import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';

export type Verdict = 'killed' | 'timed out' | 'survived';

export interface TestGroup {
  /** What the paths of its tests contain. */
  readonly filters: readonly string[];
  readonly timeoutMs: number;
}

/** A copy of the working tree, so that tests, threads, processes and the bundled service all load the mutant. */
export interface MutatedTree {
  readonly folder: string;
  /** Runs the tests, group by group, until one fails; without a mutant, on the tree as it is. */
  test(mutant: Mutant | null, groups: readonly TestGroup[]): Promise<Verdict>;
  remove(): void;
}

const root = join(import.meta.dirname, '..');

export const copyTree = (): MutatedTree => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-mutants-'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0')) {
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
  linkDependencies(folder);
  const testAll = async (groups: readonly TestGroup[]): Promise<Verdict> => {
    for (const group of groups) {
      const verdict = await runTests(folder, group);
      if (verdict !== 'survived') return verdict;
    }
    return 'survived';
  };
  return {
    folder,
    async test(mutant, groups) {
      if (mutant === null) return testAll(groups);
      const path = join(folder, mutant.file);
      const original = readFileSync(path);
      writeFileSync(path, mutant.text);
      const verdict = await testAll(groups);
      writeFileSync(path, original);
      return verdict;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The packages of the workspace are those of the copy, all others are shared. */
const linkDependencies = (folder: string): void => {
  for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => !entry.startsWith('.'))) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    if (name === '@assay') cpSync(join(root, 'node_modules', name), link, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(root, 'node_modules', name), link);
  }
};

const runTests = (folder: string, { filters, timeoutMs }: TestGroup): Promise<Verdict> => {
  const shared = mkdtempSync(join(tmpdir(), 'assay-mutant-'));
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config=scripts/mutated-tests.config.ts', ...filters], {
    cwd: folder,
    // A process group of its own: the services that tests started are killed with it.
    detached: true,
    env: { ...process.env, ASSAY_MUTANT: '1', MUTANT_FOLDER: shared },
    stdio: 'ignore',
  });
  const cleanUp = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    rmSync(shared, { recursive: true, force: true });
  };
  process.once('exit', cleanUp);
  return new Promise((resolve) => {
    const end = (verdict: Verdict): void => {
      clearTimeout(timer);
      process.off('exit', cleanUp);
      cleanUp();
      resolve(verdict);
    };
    const timer = setTimeout(() => end('timed out'), timeoutMs);
    child.once('exit', (code) => end(code === 0 ? 'survived' : 'killed'));
  });
};
