import { type ChildProcess, spawn } from 'node:child_process';

const OUTPUT_LENGTH = 4_096;

export interface ProcessLimits {
  readonly timeoutMs: number;
  readonly maxMemoryMb: number;
  readonly signal?: AbortSignal | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
}

export interface ProcessEnd {
  readonly ended: 'passed' | 'failed' | 'timed_out' | 'stopped';
  /** The last of what it wrote. */
  readonly output: string;
}

/** Its standard input closes however this process ends, so the child exits even if nothing kills it. */
const EXIT_WITH_PARENT =
  'data:text/javascript,process.stdin.on("error",()=>0).on("close",()=>process.exit(1)).resume().unref()';

/**
 * Runs a script of others in a Node of its own that sees nothing of our environment, may touch only the folders it is
 * given, and starts no other processes.
 */
export const runLimited = (script: string, args: readonly string[], limits: ProcessLimits): Promise<ProcessEnd> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...nodeFlags(limits), script, ...args], {
      cwd: limits.cwd,
      env: { ...limits.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let cause: 'timed_out' | 'stopped' | null = null;
    const kill = (why: 'timed_out' | 'stopped'): void => {
      cause ??= why;
      killGroup(child);
    };
    const onAbort = (): void => kill('stopped');
    const timer = setTimeout(() => kill('timed_out'), limits.timeoutMs);
    limits.signal?.addEventListener('abort', onAbort, { once: true });
    if (limits.signal?.aborted) onAbort();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-OUTPUT_LENGTH)));
    }
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', onAbort);
      resolve({ ended: cause ?? (code === 0 ? 'passed' : 'failed'), output });
    };
    child.stdin.on('error', () => undefined);
    child.once('error', () => finish(null));
    child.once('close', finish);
  });

const killGroup = ({ pid, exitCode, signalCode }: ChildProcess): void => {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended, and its end is on the way to us.
  }
};

const nodeFlags = ({ maxMemoryMb, readable, writable }: ProcessLimits): string[] => [
  `--max-old-space-size=${maxMemoryMb}`,
  '--import',
  EXIT_WITH_PARENT,
  '--permission',
  ...[...readable, ...writable].map((path) => `--allow-fs-read=${path}`),
  ...writable.map((path) => `--allow-fs-write=${path}`),
];
