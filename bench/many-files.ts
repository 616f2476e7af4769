import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { Row } from './figures.ts';
import { openConnection } from './http-client.ts';
import { firstReadRow, rssRow, settledRss, timeRead, timed, watchRss } from './measuring.ts';
import type { BenchService } from './service.ts';
import { runTexts, upload } from './upload-client.ts';

const FILES_PER_REPORT = 2_000;

/** Reports of very many small files, each with a content of its own. */
export const manyFilesRows = async (service: BenchService, files: number): Promise<Row[]> => {
  const peak = watchRss(service);
  const seconds = await timed(async () => {
    for (let first = 0; first < files; first += FILES_PER_REPORT) {
      const report = await reportOf(first, Math.min(FILES_PER_REPORT, files - first));
      await upload(`${service.url}/api/test-runs/upload`, [
        ...runTexts('files', 1),
        { name: 'report_html', fileName: 'report.zip', content: report },
      ]);
    }
  });
  const connection = await openConnection(service.url);
  const rows: Row[] = [{ what: `Storing ${files} files`, measured: `${seconds.toFixed(1)} s` }];
  for (const path of ['/api/admin/stats', '/api/admin/storage']) {
    rows.push(firstReadRow(`GET ${path}, first`, await timeRead(service, connection, path)));
  }
  connection.close();
  return [...rows, rssRow('Peak RSS', peak.stop()), rssRow('RSS afterwards', await settledRss(service))];
};

const reportOf = (first: number, count: number): Promise<Buffer> => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('<!doctype html><title>report</title>'), 'index.html');
  for (let n = first; n < first + count; n++) zip.addBuffer(Buffer.from(`attachment ${n}`), `data/${n}.txt`);
  zip.end();
  return buffer(zip.outputStream);
};
