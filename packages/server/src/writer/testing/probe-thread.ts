import { runWriterThread } from '../run-thread.ts';
import { crash, failStep, hold, readLog, submitProbe, takeSteps } from './probe-commands.ts';

await runWriterThread([submitProbe, hold, takeSteps, readLog, crash, failStep]);
