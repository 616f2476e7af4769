import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { ThreadEnded, openBackgroundThread } from '../background-thread.ts';
import { NOT_A_ZIP, type TraceReading } from './read-trace.ts';
import type { FromThread } from './trace-thread.ts';

/** The way to the thread that reads traces. */
export interface TraceReader {
  read(file: string, signal?: AbortSignal): Promise<TraceReading>;
  close(): Promise<void>;
}

const MEMORY_MB = 256;

export const openTraceReader = (): TraceReader => {
  const thread = openBackgroundThread<string, FromThread>({ file: threadFile, memoryMb: MEMORY_MB });
  return {
    async read(file, signal) {
      // Not worth a thread.
      if (!(await startsLikeZip(file))) return { ok: false, reason: NOT_A_ZIP };
      try {
        const answer = await thread.ask(file, signal);
        if ('fault' in answer) throw answer.fault;
        return answer;
      } catch (error) {
        if (error instanceof ThreadEnded && error.outOfMemory) {
          return { ok: false, reason: 'Reading the trace takes too much memory.' };
        }
        throw error;
      }
    },
    close: () => thread.close(),
  };
};

const startsLikeZip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === 'PK';
  } finally {
    await file.close();
  }
};

/** The thread runs from source in the repository and from the build elsewhere. */
const threadFile = new URL(`./trace-thread${extname(import.meta.url)}`, import.meta.url);
