import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { type Row, milliseconds } from './figures.ts';
import { rssRow, settledRss, timed } from './measuring.ts';
import type { BenchService } from './service.ts';
import { runTexts, upload } from './upload-client.ts';

const FILES_PER_REPORT = 2_000;
const STATS_LIMIT_MS = 250;

/** Reports of very many small files, each with a content of its own. */
export const manyFilesRows = async (service: BenchService, files: number): Promise<Row[]> => {
  const seconds = await timed(async () => {
    for (let first = 0; first < files; first += FILES_PER_REPORT) {
      const report = await reportOf(first, Math.min(FILES_PER_REPORT, files - first));
      await upload(`${service.url}/api/test-runs/upload`, [
        ...runTexts('files', 1),
        { name: 'report_html', fileName: 'report.zip', content: report },
      ]);
    }
  });
  return [
    { what: `Storing ${files} files`, measured: `${seconds.toFixed(1)} s` },
    await readRow(service, '/api/admin/stats'),
    await readRow(service, '/api/admin/storage'),
    rssRow('RSS afterwards', await settledRss(service)),
  ];
};

const reportOf = (first: number, count: number): Promise<Buffer> => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('<!doctype html><title>report</title>'), 'index.html');
  for (let n = first; n < first + count; n++) zip.addBuffer(Buffer.from(`attachment ${n}`), `data/${n}.txt`);
  zip.end();
  return buffer(zip.outputStream);
};

const readRow = async ({ url }: BenchService, path: string): Promise<Row> => {
  const ms = 1000 * (await timed(async () => (await fetch(`${url}${path}`)).arrayBuffer()));
  return {
    what: `GET ${path}, first`,
    measured: milliseconds(ms),
    limit: `${STATS_LIMIT_MS} ms`,
    ok: ms <= STATS_LIMIT_MS,
  };
};
