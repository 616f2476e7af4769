import { EventEmitter } from 'node:events';
import { MessageChannel, Worker, type WorkerOptions } from 'node:worker_threads';
import type { ThreadData } from '../src/writer/messages.ts';
import type { StartWriterThread, WriterThread } from '../src/writer/thread.ts';
import type { NextService } from './reused-writer-thread.ts';

const idle = new Set<Worker>();

/**
 * A thread takes most of what it takes to start a service: loading the service, and compiling what it uses. The thread of a
 * service that has stopped writes for the next one.
 */
export const reuseWriterThreads =
  (file: URL): StartWriterThread =>
  (_, { workerData, ...options }) => {
    const [thread = startThread(file, options)] = idle;
    idle.delete(thread);
    thread.ref();
    const { port1: port, port2 } = new MessageChannel();
    const events = new EventEmitter();
    const tellError = (error: Error): void => void events.emit('error', error);
    thread.once('error', tellError);
    port.on('message', (message) => events.emit('message', message));
    // By the thread once nothing is left to write and its database is closed, or by its end.
    port.once('close', () => {
      thread.off('error', tellError);
      thread.unref();
      // One that has ended has no number any more.
      if (thread.threadId !== -1) idle.add(thread);
      events.emit('exit');
    });
    const next: NextService = { port: port2, data: workerData as ThreadData };
    thread.postMessage(next, [port2]);
    const postMessage: WriterThread['postMessage'] = (message, transfer = []) => port.postMessage(message, transfer);
    return Object.assign(events, { postMessage });
  };

const startThread = (file: URL, options: WorkerOptions): Worker => {
  const thread = new Worker(file, options);
  thread.once('exit', () => idle.delete(thread));
  return thread;
};
