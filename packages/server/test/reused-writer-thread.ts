import { type MessagePort, parentPort } from 'node:worker_threads';
import { writerCommands } from '../src/writer-commands.ts';
import type { ThreadData } from '../src/writer/messages.ts';
import { runWriterThread } from '../src/writer/run-thread.ts';

/** What a thread needs to write for one more service. */
export interface NextService {
  readonly port: MessagePort;
  readonly data: ThreadData;
}

parentPort!.on('message', ({ port, data }: NextService) => void runWriterThread(writerCommands, port, data));
