import { EventEmitter } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { ThreadData } from '../src/writer/messages.ts';
import type { StartWriterThread, WriterThread } from '../src/writer/thread.ts';
import type { NextService } from './reused-writer-thread.ts';

const idle: Worker[] = [];

/**
 * A thread takes most of what it takes to start a service: loading the service, and compiling what it uses. The thread of a
 * service that has stopped writes for the next one.
 */
export const reuseWriterThreads =
  (file: URL): StartWriterThread =>
  (_, { workerData, ...options }) => {
    const thread = idle.pop() ?? new Worker(file, options);
    thread.ref();
    const { port1: port, port2 } = new MessageChannel();
    const events = new EventEmitter();
    let ended = false;
    const tellError = (error: Error): void => void events.emit('error', error);
    const end = (): void => {
      ended = true;
    };
    thread.once('error', tellError);
    thread.once('exit', end);
    port.on('message', (message) => events.emit('message', message));
    // By the thread once nothing is left to write and its database is closed, or by its end.
    port.once('close', () => {
      // A thread that has ended says so a moment later.
      setImmediate(() => {
        thread.off('error', tellError);
        thread.off('exit', end);
        thread.unref();
        if (!ended) idle.push(thread);
        events.emit('exit');
      });
    });
    const next: NextService = { port: port2, data: workerData as ThreadData };
    thread.postMessage(next, [port2]);
    const postMessage: WriterThread['postMessage'] = (message, transfer = []) => port.postMessage(message, transfer);
    return Object.assign(events, { postMessage });
  };
