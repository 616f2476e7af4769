import { watchInPlace } from '../db/in-place.ts';
import { AppError } from '../errors.ts';
import type { Command } from '../writer/command.ts';
import type { Writer } from '../writer/writer.ts';
import { storageCommands } from './commands.ts';
import { freeBytesOf, openReserve } from './reserve.ts';

/** Whether anything can be stored, and what can still be done when not. */
export interface Storage {
  /** The writer; what deletes may use the reserve of a full disk. */
  readonly writer: Writer;
  /** Refuses a request that writes before anything of it is read. */
  requireWritable(request: { readonly method: string; readonly url: string }): void;
  /** Tries to store something; says why that is impossible, or null. */
  findProblem(): Promise<AppError | null>;
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly dataDir: string;
  /** Null for a database that is elsewhere. */
  readonly databaseFile: string | null;
  readonly reserveBytes: number;
  readonly writer: Writer;
  readonly onFault: (fault: Error) => void;
}

/** An Administrator must be able to sign in and to delete. */
const MAY_SPEND_RESERVE = new Set([
  'deleteRun',
  'cleanUp',
  'claimRetention',
  'retainSome',
  'trimAudit',
  'openSession',
  'endSession',
  'chargeAttempt',
  'refundAttempt',
]);
const REFILL_INTERVAL_MS = 60_000;
const FIRST_FILL_MS = 2_000;
const PROBLEM_KEPT_MS = 1_000;
/** Less than this is a full disk. */
const LEAST_FREE_BYTES = 256 * 1024;
/** As SQLite says it; only the message of an error comes through from a thread. */
const DAMAGED = /malformed|not a database|disk I\/O error/;

export const openStorage = ({ dataDir, databaseFile, reserveBytes, writer, onFault }: StorageOptions): Storage => {
  const reserve = openReserve(dataDir, reserveBytes);
  const isInPlace = databaseFile === null ? () => true : watchInPlace(databaseFile);
  let damage: AppError | null = null;
  let checked: Promise<AppError | null> | null = null;
  const timers = [
    setTimeout(() => void reserve.refill(), FIRST_FILL_MS).unref(),
    setInterval(() => void reserve.refill(), REFILL_INTERVAL_MS).unref(),
  ];

  const isFull = async (): Promise<boolean> => reserve.spent || (await freeBytesOf(dataDir)) < LEAST_FREE_BYTES;
  const explain = async (error: unknown): Promise<unknown> => {
    if (error instanceof AppError || !DAMAGED.test(String(error))) return error;
    if (await isFull()) return full();
    onFault(error as Error);
    damage = new AppError('unavailable', 'The database of the service is damaged; its log has the details');
    return damage;
  };
  const execute = async <Input, Reply>(command: Command<Input, Reply>, input: Input): Promise<Reply> => {
    try {
      const reply = await writer.execute(command, input);
      if ('bodies' in command) damage = null;
      return reply;
    } catch (error) {
      const explained = await explain(error);
      const retry = isStorageFull(explained) && MAY_SPEND_RESERVE.has(command.kind) && (await reserve.spend());
      if (!retry) throw explained;
      return await writer.execute(command, input);
    } finally {
      if (reserve.spent) void reserve.refill();
    }
  };
  const check = async (): Promise<AppError | null> => {
    try {
      if (!isInPlace()) return gone();
      if (reserve.spent) await reserve.refill();
      if (await isFull()) return full();
      if (damage) return damage;
      await execute(storageCommands.checkStorage, null);
      return null;
    } catch (error) {
      return error instanceof AppError ? error : new AppError('unavailable', 'The database cannot be written');
    }
  };

  return {
    writer: {
      ...writer,
      get waiting() {
        return writer.waiting;
      },
      get ready() {
        return writer.ready;
      },
      execute,
    },
    requireWritable({ method, url }) {
      if (method === 'GET' || method === 'HEAD') return;
      if (!isInPlace()) throw gone();
      if (!reserve.spent || method !== 'POST' || !url.startsWith('/api/test-runs')) return;
      void reserve.refill();
      throw full();
    },
    findProblem() {
      if (checked === null) {
        checked = check();
        setTimeout(() => (checked = null), PROBLEM_KEPT_MS).unref();
      }
      return checked;
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      return reserve.close();
    },
  };
};

const isStorageFull = (error: unknown): boolean => error instanceof AppError && error.code === 'storage_full';

const full = (): AppError => new AppError('storage_full', 'The disk of the service is full');

const gone = (): AppError =>
  new AppError(
    'unavailable',
    'The database of the service was removed or replaced while it ran; put it back, or start the service again',
  );
