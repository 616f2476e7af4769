import { type CsvCell, type TestCase, csvRecord, notRunText } from '@assay/contract';
import type { ExportedRun } from './exported-run.ts';

const COLUMNS: Readonly<Record<string, (result: TestCase) => CsvCell>> = {
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
  notRun: ({ notRun }) => notRun && notRunText(notRun),
  error: ({ error }) => error,
};

/** As RFC 4180 says: a line of names, then one record for each result. */
export async function* writeCsv({ cases }: ExportedRun): AsyncGenerator<string> {
  yield csvRecord(Object.keys(COLUMNS));
  for await (const some of cases({ withDetails: false })) {
    yield some.map(({ result }) => csvRecord(Object.values(COLUMNS).map((cellOf) => cellOf(result)))).join('');
  }
}
