import { extname } from 'node:path';
import { ThreadEnded, openBackgroundThread } from '../background-thread.ts';
import { AppError } from '../errors.ts';
import type { FromProcess } from './import-process.ts';
import { readPosition } from './position.ts';
import type { ImportTask, ReportsRead } from './read-report-files.ts';

type ReadReports = Extract<ReportsRead, { ok: true }>;

/** The way to the process that reads reports of other tools. */
export interface ReportReader {
  /** Throws an `AppError` that names the file which cannot be read. */
  read(task: ImportTask, signal: AbortSignal): Promise<ReadReports>;
  close(): Promise<void>;
}

export interface ReportReaderOptions {
  /** Learns of what ended the process, when that was not a report. */
  readonly onFault?: (fault: Error) => void;
  readonly memoryMb?: number;
  readonly taskMs?: number;
}

export const MEMORY_MB = 512;
const TASK_MS = 3 * 60_000;
const MOST_WAITING = 32;

export const openReportReader = (options: ReportReaderOptions = {}): ReportReader => {
  const { onFault, memoryMb = MEMORY_MB, taskMs = TASK_MS } = options;
  const thread = openBackgroundThread<ImportTask, FromProcess>({
    file: processFile,
    memoryMb,
    taskMs,
    asProcess: true,
  });
  let waiting = 0;

  const ask = async (task: ImportTask, signal: AbortSignal): Promise<FromProcess> => {
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
        const answer = await ask(task, signal);
        if ('fault' in answer) throw answer.fault;
        if ('refused' in answer) {
          const message = `${currentName(task)}: ${answer.refused.message}`;
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

/** Of the file that is being read, or was when the process ended. */
const currentName = ({ files, intoDir }: ImportTask): string => files[readPosition(intoDir)]!.name;

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

/** The process runs from source in the repository and from the build elsewhere. */
const processFile = new URL(`./import-process${extname(import.meta.url)}`, import.meta.url);
