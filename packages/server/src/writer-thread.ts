import { parentPort, workerData } from 'node:worker_threads';
import { collectAfterStart } from './garbage.ts';
import { writerCommands } from './writer-commands.ts';
import type { ThreadData } from './writer/messages.ts';
import { runWriterThread } from './writer/run-thread.ts';

await runWriterThread(writerCommands, parentPort!, workerData as ThreadData);
collectAfterStart();
