import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError } from './errors.ts';

/**
 * A thread for work that comes now and then: it starts with the first task and ends when there is nothing to do. Not one of
 * a pool from a library: those report an abort before the thread has ended, while it may still write what the caller removes.
 */
export interface BackgroundThread<Task, Answer> {
  /** Whether there is a thread at the moment. */
  readonly awake: boolean;
  /** Does one task after the other. Fails with `ThreadEnded` when the thread ends before it answers. */
  ask(task: Task, signal?: AbortSignal): Promise<Answer>;
  /** Stops what runs and refuses what waits. */
  close(): Promise<void>;
}

export interface BackgroundThreadOptions {
  /** Gets tasks as messages and posts one answer for each. */
  readonly file: URL;
  readonly memoryMb: number;
  /** How long a task may take before its thread is ended and it fails with a `TimeoutError`. */
  readonly taskMs?: number | undefined;
  readonly idleMs?: number | undefined;
  /**
   * A process in place of the thread. Where one step of a task may take any amount of memory, as `JSON.parse` does, V8 ends
   * the process that the step runs in.
   */
  readonly asProcess?: boolean;
}

export class ThreadEnded extends Error {
  override name = 'ThreadEnded';

  get outOfMemory(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

const YOUNG_SPACE_MB = 8;
const IDLE_MS = 10_000;

export const openBackgroundThread = <Task, Answer>({
  file,
  memoryMb,
  taskMs,
  idleMs = IDLE_MS,
  asProcess = false,
}: BackgroundThreadOptions): BackgroundThread<Task, Answer> => {
  let thread: Runner | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();

  const start = (): Runner => {
    const started = asProcess ? startProcess(file, memoryMb) : startThread(file, memoryMb);
    const forget = (): void => {
      if (thread === started) thread = null;
    };
    started.on('error', forget);
    started.on('exit', forget);
    return started;
  };
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  const run = async (task: Task, given: AbortSignal): Promise<Answer> => {
    given.throwIfAborted();
    const signal = taskMs === undefined ? given : AbortSignal.any([given, AbortSignal.timeout(taskMs)]);
    clearTimeout(idle);
    thread ??= start();
    const asked = thread;
    asked.ref();
    const abort = (): void => void stop();
    signal.addEventListener('abort', abort);
    try {
      return await askWorker<Answer>(asked, task);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      asked.unref();
      idle = setTimeout(() => void stop(), idleMs).unref();
    }
  };

  return {
    get awake() {
      return thread !== null;
    },
    ask(task, signal) {
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const done = last.then(() => run(task, either));
      last = done.catch(() => undefined);
      return done;
    },
    async close() {
      closing.abort(new AppError('unavailable', 'The service is stopping; try again shortly'));
      await last;
      await stop();
    },
  };
};

/** What a thread and a process have in common. */
interface Runner {
  on(event: 'message' | 'error' | 'exit', listener: Listener): unknown;
  off(event: 'message' | 'error' | 'exit', listener: Listener): unknown;
  postMessage(task: unknown): void;
  /** Resolves once it has ended. */
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}

// What they are called with differs by the event.
// oxlint-disable-next-line typescript/no-explicit-any
type Listener = (...values: any[]) => void;

const startThread = (file: URL, memoryMb: number): Runner =>
  new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_SPACE_MB },
  });

export const processFlags = (memoryMb: number): string[] => [
  `--max-old-space-size=${memoryMb}`,
  `--max-semi-space-size=${YOUNG_SPACE_MB}`,
];

const startProcess = (file: URL, memoryMb: number): Runner => {
  const child = fork(fileURLToPath(file), {
    execArgv: processFlags(memoryMb),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return {
    on: (event, listener) => child.on(event, listener),
    off: (event, listener) => child.off(event, listener),
    // A process that has gone is told by its exit.
    postMessage: (task) => void child.send(task as object, () => undefined),
    terminate() {
      child.kill('SIGKILL');
      return exited;
    },
    ref() {
      child.ref();
      child.channel?.ref();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
  };
};

/** How V8 ends a process that has no memory left, and how the system does. */
const OUT_OF_MEMORY_SIGNALS = new Set(['SIGABRT', 'SIGKILL', 'SIGTRAP', 'SIGILL']);

const askWorker = <Answer>(worker: Runner, task: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let cause: unknown;
    const settle = (act: () => void): void => {
      worker.off('message', take);
      worker.off('error', fail);
      worker.off('exit', end);
      act();
    };
    const take = (message: Answer): void => settle(() => resolve(message));
    const fail = (error: unknown): void => {
      cause = error;
    };
    // Not before it has ended, for until then it may still be writing.
    const end = (_code: number | null, signal?: NodeJS.Signals | null): void => {
      if (signal && OUT_OF_MEMORY_SIGNALS.has(signal)) cause ??= { code: 'ERR_WORKER_OUT_OF_MEMORY' };
      settle(() => reject(new ThreadEnded('A background thread ended', { cause })));
    };
    worker.on('message', take);
    worker.on('error', fail);
    worker.on('exit', end);
    worker.postMessage(task);
  });
