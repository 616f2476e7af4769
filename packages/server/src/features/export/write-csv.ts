import type { TestCase } from '@assay/contract';
import type { ExportedRun } from './exported-run.ts';

type Cell = string | number | boolean | null | undefined;

const COLUMNS: Readonly<Record<string, (result: TestCase) => Cell>> = {
  id: ({ id }) => id,
  testId: ({ testId }) => testId,
  title: ({ title }) => title,
  file: ({ filePath }) => filePath,
  line: ({ line }) => line,
  column: ({ column }) => column,
  browser: ({ browser }) => browser,
  status: ({ status }) => status,
  flaky: ({ flaky }) => flaky,
  retries: ({ retries }) => retries,
  duration: ({ duration }) => duration,
  startTime: ({ startTime }) => startTime,
  lane: ({ lane }) => lane,
  failedMs: ({ failedMs }) => failedMs,
  tags: ({ tags }) => tags.join(' '),
  cause: ({ cause }) => cause,
  error: ({ error }) => error,
};

/** As RFC 4180 says: a line of names, then one record for each result. */
export async function* writeCsv({ cases }: ExportedRun): AsyncGenerator<string> {
  yield record(Object.keys(COLUMNS));
  for await (const some of cases({ withDetails: false })) {
    yield some.map(({ result }) => record(Object.values(COLUMNS).map((cellOf) => cellOf(result)))).join('');
  }
}

const record = (cells: readonly Cell[]): string => `${cells.map(writeCell).join()}\r\n`;

const writeCell = (cell: Cell): string => {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).toWellFormed();
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
