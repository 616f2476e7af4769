import { stepCommand, transactionCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { deleteProject } from './delete-project.ts';
import { type CreateProject, type UpdateProject, createProject, updateProject } from './update-project.ts';

export const projectCommands = {
  createProject: transactionCommand(
    'createProject',
    (transaction, input: CreateProject, { now }) => createProject(transaction, input, now),
    (projectId) => [{ type: 'project', projectId }],
  ),
  updateProject: transactionCommand(
    'updateProject',
    (transaction, input: UpdateProject, { now }) => updateProject(transaction, input, now),
    (_, { projectId }) => [{ type: 'project', projectId }],
  ),
  deleteProject: stepCommand(
    'deleteProject',
    ({ database, now }, { projectId, actor }: { readonly projectId: number; readonly actor: Actor }) =>
      deleteProject(database, projectId, actor, now),
    ({ projectIds }) => projectIds.map((projectId) => ({ type: 'project', projectId })),
  ),
};
