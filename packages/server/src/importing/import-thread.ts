import { parentPort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { type ImportTask, type ReportsRead, readReportFiles } from './read-report-files.ts';

/* The thread that reads reports of other tools. It may end at any moment; all that it owns is the folder of its task. */

export type FromThread =
  | ReportsRead
  | { readonly refused: Pick<AppError, 'code' | 'message'> }
  | { readonly fault: Error };

const port = parentPort!;

const answer = async (task: ImportTask): Promise<FromThread> => {
  try {
    return await readReportFiles(task);
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      return { refused: { code: 'storage_full', message: 'The disk of the service is full' } };
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }
};

port.on('message', (task: ImportTask) => {
  void answer(task).then((message) => port.postMessage(message));
});
