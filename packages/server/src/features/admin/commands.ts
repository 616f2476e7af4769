import { stepCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { cleanUp } from './clean-up.ts';

export const adminCommands = {
  cleanUp: stepCommand(
    'cleanUp',
    ({ database, now }, { startedBefore, actor }: { readonly startedBefore: number; readonly actor: Actor }) =>
      cleanUp(database, startedBefore, actor, now),
    ({ projectIds }) => projectIds.map((projectId) => ({ type: 'project', projectId })),
  ),
};
