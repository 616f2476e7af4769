import { runEvents } from '../../events.ts';
import { stepCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { deleteRun } from './delete-run.ts';

interface DeleteRun {
  readonly runId: number;
  readonly actor: Actor;
}

export const runCommands = {
  deleteRun: stepCommand(
    'deleteRun',
    ({ database, now }, { runId, actor }: DeleteRun) => deleteRun(database, runId, actor, now),
    ({ projectIds }, { runId }) => projectIds.flatMap((projectId) => runEvents('deleted', projectId, runId)),
  ),
};
