import { extname } from 'node:path';
import { ThreadEnded, openBackgroundThread } from '../background-thread.ts';
import { AppError } from '../errors.ts';
import type { FromThread } from './import-thread.ts';
import type { ImportTask, ReportsRead } from './read-report-files.ts';

type ReadReports = Extract<ReportsRead, { ok: true }>;

/** The way to the thread that reads reports of other tools. */
export interface ReportReader {
  /** Throws an `AppError` that names the file which cannot be read. */
  read(task: Omit<ImportTask, 'position'>, signal: AbortSignal): Promise<ReadReports>;
  close(): Promise<void>;
}

export interface ReportReaderOptions {
  /** Learns of what ended the thread, when that was not a report. */
  readonly onFault?: (fault: Error) => void;
  readonly memoryMb?: number;
  readonly taskMs?: number;
}

const MEMORY_MB = 512;
const TASK_MS = 3 * 60_000;
const MOST_WAITING = 32;

export const openReportReader = (options: ReportReaderOptions = {}): ReportReader => {
  const { onFault, memoryMb = MEMORY_MB, taskMs = TASK_MS } = options;
  const thread = openBackgroundThread<ImportTask, FromThread>({ file: threadFile, memoryMb, taskMs });
  let waiting = 0;

  const ask = async (task: ImportTask, signal: AbortSignal): Promise<FromThread> => {
    try {
      return await thread.ask(task, signal);
    } catch (error) {
      if (error instanceof ThreadEnded && error.outOfMemory) {
        throw tooLarge(currentName(task), `reading it takes more than ${memoryMb} MB of memory`);
      }
      if ((error as Error).name === 'TimeoutError') {
        throw tooLarge(currentName(task), `reading it takes longer than ${taskMs / 1000} seconds`);
      }
      if (!(error instanceof ThreadEnded)) throw error;
      onFault?.(error);
      throw new AppError('internal', 'The reports could not be read because of a fault of the service');
    }
  };

  return {
    async read(task, signal) {
      if (waiting >= MOST_WAITING) throw new AppError('unavailable', 'Too many imports wait; try again shortly');
      waiting++;
      try {
        const asked = { ...task, position: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
        const answer = await ask(asked, signal);
        if ('fault' in answer) throw answer.fault;
        if ('refused' in answer) {
          const message = `${currentName(asked)}: ${answer.refused.message}`;
          throw new AppError(answer.refused.code, message, [{ path: '', message }]);
        }
        if (answer.ok) return answer;
        throw refusedReports(answer);
      } finally {
        waiting--;
      }
    },
    close: () => thread.close(),
  };
};

const currentName = ({ files, position }: ImportTask): string => files[new Int32Array(position)[0]!]!.name;

const refusedReports = ({ isDamage, problems }: Extract<ReportsRead, { ok: false }>): AppError =>
  new AppError(
    isDamage ? 'damaged_report' : 'invalid_body',
    `Nothing was imported: ${problems[0]}`,
    problems.slice(0, 50).map((message) => ({ path: '', message })),
  );

const tooLarge = (name: string, message: string): AppError =>
  new AppError('body_too_large', `Nothing was imported: ${name}: ${message}`, [
    { path: '', message: `${name}: ${message}` },
  ]);

/** The thread runs from source in the repository and from the build elsewhere. */
const threadFile = new URL(`./import-thread${extname(import.meta.url)}`, import.meta.url);
