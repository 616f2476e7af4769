import type { ProjectChange } from '@assay/contract';
import { stepCommand, transactionCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { deleteProject } from './delete-project.ts';
import { updateProject } from './update-project.ts';

interface UpdateProject {
  readonly projectId: number;
  readonly change: ProjectChange;
}

export const projectCommands = {
  updateProject: transactionCommand(
    'updateProject',
    (transaction, { projectId, change }: UpdateProject, { now }) => updateProject(transaction, projectId, change, now),
    (_, { projectId }) => [{ type: 'project', projectId }],
  ),
  deleteProject: stepCommand(
    'deleteProject',
    ({ database, now }, { projectId, actor }: { readonly projectId: number; readonly actor: Actor }) =>
      deleteProject(database, projectId, actor, now),
    ({ projectIds }) => projectIds.map((projectId) => ({ type: 'project', projectId })),
  ),
};
