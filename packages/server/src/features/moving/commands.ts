import { claimChore } from '../../jobs/chores.ts';
import { stepCommand } from '../../writer/command.ts';
import { type MoveBlocks, moveBlocks } from './move-blocks.ts';

export const movingCommands = {
  // oxlint-disable-next-line require-yield
  moveBlocks: stepCommand('moveBlocks', async function* ({ database }, input: MoveBlocks) {
    // Files that other projects may name, too, are dropped alone.
    const scope = input.isAgain ? undefined : { projects: [input.projectName] };
    return database.transaction((transaction) => moveBlocks(transaction, input), scope);
  }),
  /** Gives the room of what has moved back to the file system; answers how many bytes. */
  finishMoving: stepCommand('finishMoving', async function* ({ database, now }, _input: null) {
    await database.transaction((transaction) => claimChore(transaction, { name: 'move-runs', intervalMs: 0 }, now));
    let freedBytes = 0;
    for (const bytes of database.reclaimSpace()) {
      freedBytes += bytes;
      yield;
    }
    return freedBytes;
  }),
};
