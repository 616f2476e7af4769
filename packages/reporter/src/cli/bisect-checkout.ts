import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { UsageError } from './read-arguments.ts';

/** Runs git to its end: a Ctrl+C in the terminal reaches only its own process group. */
export const runGit = (folder: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', folder, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let [printed, complaint] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (complaint += piece.toString()));
    child.on('error', (error) => reject(new UsageError(`git cannot be started: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve(printed.trimEnd());
      else reject(new UsageError(complaint.trim().split('\n')[0] || `git ${args[0]} failed`));
    });
  });

export type Tried = 'passed' | 'failed' | 'skipped';

export interface Checkout {
  /** Checks a commit out and runs the command there. Rejects when somebody interrupts it. */
  try(commit: string, command: readonly string[], isLoud: boolean): Promise<Tried>;
  /** Back to where it was. */
  restore(): Promise<void>;
}

/** Such as 127, where a shell does not find the command. */
const NOT_FOUND = 127;
const SKIP = 125;
const KILLED = 128;

export class Interrupted extends Error {}

/** Takes over the checkout of a repository in which nothing is changed. */
export const takeCheckout = async (root: string, cwd: string): Promise<Checkout> => {
  if ((await runGit(root, ['status', '--porcelain', '--untracked-files=no'])) !== '') {
    throw new UsageError('the checkout has changes: commit or stash them first');
  }
  const branch = await runGit(root, ['symbolic-ref', '--short', '-q', 'HEAD']).catch(() => null);
  const place = branch ?? (await runGit(root, ['rev-parse', 'HEAD']));
  let child: ChildProcess | null = null;
  let wasInterrupted = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    wasInterrupted = true;
    child?.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  const check = (): void => {
    if (wasInterrupted) throw new Interrupted('interrupted');
  };
  return {
    try: async (commit, [program, ...args], isLoud) => {
      check();
      // What the command changed of the commit before is nothing that anybody wants.
      await runGit(root, ['checkout', '--force', '--detach', '--quiet', commit]);
      check();
      if (!existsSync(cwd)) return 'skipped';
      const code = await new Promise<number>((resolve, reject) => {
        const output = isLoud ? 'inherit' : 'ignore';
        const isWindows = process.platform === 'win32';
        child = spawn(program!, args, { cwd, stdio: ['ignore', output, output], shell: isWindows });
        child.on('error', (error) => reject(new UsageError(`${program} cannot be started: ${error.message}`)));
        child.on('close', (exit) => resolve(exit ?? KILLED));
      }).finally(() => (child = null));
      check();
      if (code === 0) return 'passed';
      if (code === SKIP) return 'skipped';
      if (code >= NOT_FOUND) throw new UsageError(`the command ended with ${code} at ${commit}`);
      return 'failed';
    },
    restore: async () => {
      await runGit(root, ['checkout', '--force', '--quiet', place]);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
};
