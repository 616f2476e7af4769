import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { ServiceEvent } from '../events.ts';
import type { Command } from './command.ts';
import type { FromWriter, ThreadData, ToWriter } from './messages.ts';
import type { StartWriterThread, WriterThread } from './thread.ts';

/** The way to the writing thread. */
export interface Writer {
  execute<Input, Reply>(command: Command<Input, Reply>, input: Input): Promise<Reply>;
  readonly waiting: number;
  readonly ready: boolean;
  /** Finishes what was asked for, then closes the database. */
  close(): Promise<void>;
}

export interface WriterOptions extends ThreadData {
  /** The file that the thread runs. */
  readonly thread: URL;
  readonly startThread?: StartWriterThread | undefined;
  readonly onFault: (fault: Error) => void;
  /** Learns what commands have changed once that is durable. */
  readonly onEvents: (events: readonly ServiceEvent[]) => void;
}

const RESTART_DELAY_MS = 250;
/** Parsing fills the young space; a smaller one keeps the memory of a busy service down. */
const YOUNG_SPACE_MB = 24;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Starts the writing thread. Commands wait until it has `started`. */
export const openWriter = ({
  thread: threadFile,
  startThread = (file, options) => new Worker(file, options),
  database,
  runQuietMs,
  onFault,
  onEvents,
}: WriterOptions): { readonly writer: Writer; readonly started: Promise<void> } => {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let closed: (() => void) | null = null;
  let worker: WriterThread | null = null;
  let isStarting = true;

  const settle = (message: Extract<FromWriter, { id: number }>): void => {
    const { resolve, reject } = pending.get(message.id)!;
    pending.delete(message.id);
    if ('value' in message) resolve(message.value);
    else if ('refused' in message)
      reject(new AppError(message.refused.code, message.refused.message, message.refused.issues));
    else reject(message.fault);
  };

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const thread = startThread(threadFile, {
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_SPACE_MB },
        workerData: { database, runQuietMs } satisfies ThreadData,
      });
      thread.on('message', (message: FromWriter) => {
        if ('ready' in message) {
          worker = thread;
          resolve();
        } else settle(message);
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

  const started = start().finally(() => (isStarting = false));
  // Whoever waits for it learns of a failure.
  started.catch(() => undefined);

  const execute = async <Input, Reply>(command: Command<Input, Reply>, input: Input): Promise<Reply> => {
    if (isStarting) await started.catch(() => undefined);
    if (worker === null || closed) throw unavailable();
    const id = nextId++;
    const bodies = 'bodies' in command ? command.bodies(input) : [];
    const transfer = bodies.flatMap((body) => ('bytes' in body ? [body.bytes.buffer] : []));
    worker.postMessage({ id, kind: command.kind, input } satisfies ToWriter, transfer);
    return new Promise((resolve, reject) =>
      pending.set(id, {
        resolve(reply) {
          resolve(reply as Reply);
          onEvents(command.events(reply as Reply, input));
        },
        reject,
      }),
    );
  };

  const writer: Writer = {
    get waiting() {
      return pending.size;
    },
    get ready() {
      return worker !== null;
    },
    execute,
    async close() {
      await started.catch(() => undefined);
      await new Promise<void>((resolve) => {
        closed = resolve;
        if (worker === null) resolve();
        else worker.postMessage({ close: true } satisfies ToWriter);
      });
    },
  };
  return { writer, started };
};

const unavailable = (): AppError =>
  new AppError('unavailable', 'The service cannot store anything right now; try again shortly');
