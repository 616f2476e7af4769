import { manageHeap } from '@assay/import';
import { AppError } from '../errors.ts';
import { type ImportTask, type ReportsRead, readReportFiles } from './read-report-files.ts';

/* The process that reads reports of other tools. It may end at any moment; all that it owns is the folder of its task. */

export type FromProcess =
  | ReportsRead
  | { readonly refused: Pick<AppError, 'code' | 'message'> }
  | { readonly fault: Error };

const answer = async (task: ImportTask): Promise<FromProcess> => {
  try {
    return await readReportFiles(task);
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      return { refused: { code: 'storage_full', message: 'The disk of the service is full' } };
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }
};

manageHeap();
process.on('message', (task: ImportTask) => {
  void answer(task).then((message) => process.send!(message));
});
// The service has gone.
process.on('disconnect', () => process.exit());
