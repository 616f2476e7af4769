import type { ProjectChange } from '@assay/contract';
import { transactionCommand } from '../../writer/command.ts';
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
};
