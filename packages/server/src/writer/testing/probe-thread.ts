import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '../messages.ts';
import { runWriterThread } from '../run-thread.ts';
import { crash, failStep, hold, readLog, submitProbe, takeSteps } from './probe-commands.ts';

await runWriterThread([submitProbe, hold, takeSteps, readLog, crash, failStep], parentPort!, workerData as ThreadData);
