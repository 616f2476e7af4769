import { mkdir, readdir, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { ThreadEnded, openBackgroundThread } from '../background-thread.ts';
import { AppError } from '../errors.ts';
import { refusal } from './refusal.ts';
import type { FromThread } from './unpack-thread.ts';
import type { UnpackTask, Unpacked } from './unpack.ts';

/** The way to the thread that reads archives. */
export interface Unpacker {
  /** Whether there is a thread at the moment. */
  readonly awake: boolean;
  /**
   * Unpacks an archive into a folder, one plain file for each content; off the main thread, one task after the other.
   * The folder must be empty or missing; after a failure it is empty again.
   */
  unpack(task: UnpackTask & { readonly signal?: AbortSignal }): Promise<Unpacked>;
  /** Stops what runs and refuses what waits. */
  close(): Promise<void>;
}

export interface UnpackerOptions {
  /** Learns of what ended the thread, when that was not an archive. */
  readonly onFault?: (fault: Error) => void;
  readonly memoryMb?: number;
  readonly idleMs?: number;
  readonly threadFile?: URL;
}

const MEMORY_MB = 128;

/** The thread runs from source in the repository and from the build elsewhere. */
const THREAD_FILE = new URL(`./unpack-thread${extname(import.meta.url)}`, import.meta.url);

export const openUnpacker = ({
  onFault,
  memoryMb = MEMORY_MB,
  idleMs,
  threadFile = THREAD_FILE,
}: UnpackerOptions = {}): Unpacker => {
  const thread = openBackgroundThread<UnpackTask, FromThread>({ file: threadFile, memoryMb, idleMs });

  const ask = async (task: UnpackTask, signal: AbortSignal | undefined): Promise<Unpacked> => {
    try {
      const answer = await thread.ask(task, signal);
      if ('unpacked' in answer) return answer.unpacked;
      throw 'refused' in answer ? new AppError(answer.refused.code, answer.refused.message) : answer.fault;
    } catch (error) {
      throw error instanceof ThreadEnded ? explainEnd(error, onFault) : error;
    }
  };

  return {
    get awake() {
      return thread.awake;
    },
    async unpack({ signal, file, intoDir, limits, keepBlobReport }) {
      await mkdir(intoDir, { recursive: true });
      if ((await readdir(intoDir)).length > 0) throw new Error(`${intoDir} is not empty`);
      try {
        return await ask({ file, intoDir, limits, keepBlobReport }, signal);
      } catch (error) {
        for (const name of await readdir(intoDir)) await rm(`${intoDir}/${name}`);
        throw error;
      }
    },
    close: () => thread.close(),
  };
};

const explainEnd = (ended: ThreadEnded, onFault: UnpackerOptions['onFault']): AppError => {
  if (ended.outOfMemory) return refusal('reading it takes too much memory');
  onFault?.(ended);
  return new AppError('internal', 'The archive could not be read because of a fault of the service');
};
