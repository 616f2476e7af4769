import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { type Done } from './events-of.ts';
import type { ThreadData } from './thread.ts';
import { type Command, type CommandReplies, type FromWriter, type ToWriter, bodiesOf } from './work.ts';

/** The way to the writing thread. */
export interface Writer {
  execute<C extends Command>(command: C): Promise<CommandReplies[C['kind']]>;
  readonly waiting: number;
  readonly ready: boolean;
  /** Finishes what was asked for, then closes the database. */
  close(): Promise<void>;
}

export interface WriterOptions extends ThreadData {
  readonly onFault: (fault: Error) => void;
  /** Gets the memory of bodies back. */
  readonly onReturn: (buffer: ArrayBuffer) => void;
  /** Learns of every command that is durable. */
  readonly onDone: (done: Done) => void;
}

const RESTART_DELAY_MS = 250;
/** Parsing fills the young space; a smaller one keeps the memory of a busy service down. */
const YOUNG_SPACE_MB = 24;

interface Pending {
  readonly command: Command;
  resolve(value: never): void;
  reject(error: Error): void;
}

export const openWriter = async ({
  databaseFile,
  runQuietMs,
  onFault,
  onReturn,
  onDone,
}: WriterOptions): Promise<Writer> => {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let closed: (() => void) | null = null;
  let worker: Worker | null = null;

  const settle = (message: Extract<FromWriter, { id: number }>): void => {
    const { command, resolve, reject } = pending.get(message.id)!;
    pending.delete(message.id);
    if ('value' in message) {
      resolve(message.value as never);
      onDone({ kind: command.kind, command, reply: message.value } as Done);
    } else if ('refused' in message)
      reject(new AppError(message.refused.code, message.refused.message, message.refused.issues));
    else reject(message.fault);
  };

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const thread = new Worker(threadFile, {
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_SPACE_MB },
        workerData: { databaseFile, runQuietMs } satisfies ThreadData,
      });
      thread.on('message', (message: FromWriter) => {
        if ('ready' in message) {
          worker = thread;
          resolve();
        } else if ('returned' in message) onReturn(message.returned);
        else settle(message);
      });
      thread.on('error', (error) => {
        onFault(error as Error);
        reject(error);
      });
      thread.on('exit', () => {
        worker = null;
        for (const { reject: fail } of pending.values()) fail(unavailable());
        pending.clear();
        if (closed) closed();
        else setTimeout(() => void start().catch(() => undefined), RESTART_DELAY_MS).unref();
      });
    });

  await start();
  return {
    get waiting() {
      return pending.size;
    },
    get ready() {
      return worker !== null;
    },
    execute(command) {
      if (worker === null || closed) return Promise.reject(unavailable());
      const id = nextId++;
      const transfer = bodiesOf(command).flatMap((body) => ('bytes' in body ? [body.bytes.buffer] : []));
      worker.postMessage({ id, command } satisfies ToWriter, transfer);
      return new Promise((resolve, reject) => pending.set(id, { command, resolve, reject }));
    },
    close: () =>
      new Promise((resolve) => {
        closed = resolve;
        if (worker === null) resolve();
        else worker.postMessage({ close: true } satisfies ToWriter);
      }),
  };
};

const unavailable = (): AppError =>
  new AppError('unavailable', 'The service cannot store anything right now; try again shortly');

/** The thread runs from source in the repository and from the build elsewhere. */
const threadFile = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
