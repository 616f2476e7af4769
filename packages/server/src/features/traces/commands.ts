import { runEvents } from '../../events.ts';
import { transactionCommand } from '../../writer/command.ts';
import { type ReadTraces, fillFromTraces } from './fill-from-traces.ts';

export const traceCommands = {
  fillFromTraces: transactionCommand(
    'fillFromTraces',
    (transaction, read: ReadTraces, { now }) => fillFromTraces(transaction, read, now),
    ({ projectId }, { runId }) => (projectId === null ? [] : runEvents('changed', projectId, runId)),
  ),
};
