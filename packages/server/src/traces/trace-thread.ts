import { parentPort } from 'node:worker_threads';
import { type TraceReading, readTrace } from './read-trace.ts';

/* The thread that reads traces. */

export type FromThread = TraceReading | { readonly fault: Error };

const port = parentPort!;

const answer = async (file: string): Promise<FromThread> => {
  try {
    return await readTrace(file);
  } catch (fault) {
    return { fault: fault as Error };
  }
};

port.on('message', (file: string) => {
  void answer(file).then((message) => port.postMessage(message));
});
