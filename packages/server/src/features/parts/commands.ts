import { stepCommand } from '../../writer/command.ts';
import { finalizeRun } from './finalize-run.ts';

export const partCommands = {
  finalizeRun: stepCommand('finalizeRun', ({ database }, { runId }: { readonly runId: number }) =>
    finalizeRun(database, runId),
  ),
};
