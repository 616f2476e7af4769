import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../src/cli/run-command.ts';
import { COMMAND } from '../built-reporter.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for a command: what it works in and what it keeps. */
export interface Workplace {
  readonly folder: string;
  /** The real command in a process, with an environment that has nothing of CI but what is given. */
  assay(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same in this process, which is quicker; what it sends is not known as the last run of the folder. */
  assayHere(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  remove(): void;
}

export const createWorkplace = (given: Readonly<Record<string, string>>): Workplace => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  // Of a repository.
  mkdirSync(join(folder, '.git'));
  const base = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    ASSAY_SPOOL_DIR: join(folder, 'spool'),
    ...given,
  };
  return {
    folder,
    async assay(args, env = {}) {
      const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder, env: { ...base, ...env } });
      const code = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await code, stdout, stderr };
    },
    async assayHere(args, env = {}) {
      let [stdout, stderr] = ['', ''];
      const code = await runCommand(args, {
        env: { ...base, ...env },
        cwd: folder,
        stdout: { write: (said: string) => Boolean((stdout += said)) },
        stderr: { isTTY: false, write: (said: string) => Boolean((stderr += said)) },
      });
      return { code, stdout, stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
