import { transactionCommand } from '../writer/command.ts';

export const storageCommands = {
  /** Writes what is there already, to see whether anything can be stored. */
  checkStorage: transactionCommand('checkStorage', async (transaction, _input: null): Promise<void> => {
    await transaction
      .updateTable('installation')
      .set(({ ref }) => ({ id: ref('id') }))
      .execute();
  }),
};
