import { transactionCommand } from '../../writer/command.ts';
import { type ChangedView, createView, deleteView, updateView } from './save-view.ts';

const changed = ({ projectId }: ChangedView) => [{ type: 'project' as const, projectId }];

export const viewCommands = {
  createView: transactionCommand(
    'createView',
    (transaction, input: Parameters<typeof createView>[1], { now }) => createView(transaction, input, now),
    changed,
  ),
  updateView: transactionCommand(
    'updateView',
    (transaction, input: Parameters<typeof updateView>[1], { now }) => updateView(transaction, input, now),
    changed,
  ),
  deleteView: transactionCommand(
    'deleteView',
    (transaction, input: Parameters<typeof deleteView>[1], { now }) => deleteView(transaction, input, now),
    changed,
  ),
};
