import { statSync } from 'node:fs';
import type { UploadReply } from '@assay/contract';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, minute } from '../conformance/build.ts';
import { newFolder } from '../robustness/service-process.ts';
import { emptyServer, startTestServer, type TestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import {
  type Part,
  beside,
  file,
  filePath,
  json,
  rawRequest,
  readStored,
  runFields,
  text,
  textFields,
  uniqueBytes,
  upload,
} from './form.ts';
import { expectNoFiles, filesIn, hashesOf, storedHashes } from './stored.ts';

let server: TestServer;
beforeAll(async () => {
  server = await emptyServer();
});
afterEach(async () => {
  const projects = await server.client.listProjects();
  for (const { id } of projects) {
    const { testRuns } = await server.client.getProject({ params: { id } });
    for (const run of testRuns) await server.client.deleteRun({ params: { id: run.id } });
  }
  await expectNoFiles(server.dataDir);
});

const remove = ({ testRunId }: UploadReply) => server.client.deleteRun({ params: { id: testRunId } });
const bytesInBlobs = (): number => filesIn(server.dataDir, 'blobs').reduce((sum, path) => sum + statSync(path).size, 0);

const PAGE = '<!doctype html><title>Report</title>';
const LIBRARY = 'function library() { return 1; }\n'.repeat(3_000);
const PICTURE = uniqueBytes(50_000);

/** A report whose page and picture are the same for all and whose data is its own. */
const report = (data: string | Buffer, extra: Record<string, string> = {}): Promise<Buffer> =>
  zipOf({ 'index.html': PAGE, 'library.js': LIBRARY, 'picture.png': PICTURE, 'data.bin': Buffer.from(data), ...extra });

const send = (parts: readonly Part[], startTime = minute(0)): Promise<UploadReply> => {
  const [, , cases] = textFields();
  return upload(server, [text('projectName', 'shop'), json('testRun', runFields({ startTime })), cases!, ...parts]);
};

describe('equal contents', () => {
  it('are stored once and counted each', async () => {
    const zip = await report('same');
    const parts = [file('report_html', zip), file('trace_0', PICTURE)];
    await send(parts);
    const first = await server.client.getStats();
    expect(first).toMatchObject({ totalReports: 1, totalTraces: 1, traceSizeFromDb: PICTURE.length });
    expect(first.reportSizeFromDb).toBe(PAGE.length + LIBRARY.length + PICTURE.length + 4);
    expect(storedHashes(server.dataDir)).toEqual(hashesOf([PAGE, LIBRARY, PICTURE, 'same']));
    for (let again = 0; again < 3; again++) await send(parts);
    const all = await server.client.getStats();
    expect(all).toMatchObject({
      totalReports: 4,
      totalTraces: 4,
      reportSizeFromDb: first.reportSizeFromDb * 4,
      traceSizeFromDb: first.traceSizeFromDb * 4,
      fileSizeOnDisk: first.fileSizeOnDisk,
    });
    expect(all.fileSizeOnDisk).toBe(bytesInBlobs());
    expect(all.fileSizeOnDisk).toBeLessThan(first.reportSizeFromDb);
    expect(all.storageSizeOnDisk).toBeGreaterThanOrEqual(all.fileSizeOnDisk + all.databaseSizeOnDisk);
  });

  it('are shared by other reports, by other kinds of archive and by traces', async () => {
    await send([file('report_html', await report('one')), file('report_other', PICTURE), file('trace_1', PICTURE)]);
    await send([file('report_monocart', await report('two', { 'copy.js': LIBRARY }))]);
    expect(storedHashes(server.dataDir)).toEqual(hashesOf([PAGE, LIBRARY, PICTURE, 'one', 'two']));
  });

  it('that arrive at the same moment are stored once and whole', async () => {
    const zip = await report(uniqueBytes(300_000));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send([file('report_html', zip), file('trace_0', PICTURE)])),
    );
    expect(storedHashes(server.dataDir)).toHaveLength(4);
    for (const { reportPath, traces } of answers) {
      expect(await readStored(server, beside(reportPath!, 'picture.png'))).toEqual(PICTURE);
      expect(await readStored(server, traces[0]!.path)).toEqual(PICTURE);
    }
    for (const answer of answers) await remove(answer);
    await expectNoFiles(server.dataDir);
  });
});

describe('deleting a run', () => {
  it('removes exactly what no other run uses', async () => {
    const first = await send([file('report_html', await report('one')), file('trace_0', 'trace one')]);
    const second = await send([file('report_html', await report('two')), file('trace_0', 'trace two')]);
    expect(await remove(first)).toEqual({ success: true });
    expect(storedHashes(server.dataDir)).toEqual(hashesOf([PAGE, LIBRARY, PICTURE, 'two', 'trace two']));
    expect(await readStored(server, beside(second.reportPath!, 'library.js'))).toEqual(Buffer.from(LIBRARY));
    for (const path of [first.reportPath!, beside(first.reportPath!, 'library.js'), first.traces[0]!.path]) {
      expect((await rawRequest(server, filePath(path))).status).toBe(404);
    }
    expect(await server.client.getStats()).toMatchObject({ totalReports: 1, totalTraces: 1 });
    await remove(second);
    expect(filesIn(server.dataDir, 'blobs')).toEqual([]);
    expect(await server.client.getStats()).toMatchObject({
      totalReports: 0,
      totalTraces: 0,
      reportSizeFromDb: 0,
      traceSizeFromDb: 0,
      fileSizeOnDisk: 0,
    });
  });

  it('twice at the same moment removes it once', async () => {
    const first = await send([file('report_html', await report('one'))]);
    const second = await send([file('report_html', await report('one'))]);
    const results = await Promise.allSettled([remove(first), remove(first), remove(first)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readStored(server, beside(second.reportPath!, 'data.bin'))).toEqual(Buffer.from('one'));
  });

  it('gives its contents back to one that comes later', async () => {
    const parts = [file('report_html', await report('one')), file('trace_0', 'trace')];
    const first = await send(parts);
    await remove(first);
    const again = await send(parts);
    expect(again.reportPath).not.toBe(first.reportPath);
    expect((await rawRequest(server, filePath(first.reportPath!))).status).toBe(404);
    expect(await readStored(server, beside(again.reportPath!, 'library.js'))).toEqual(Buffer.from(LIBRARY));
  });
});

describe('cleanup', () => {
  it('removes the files of old runs and says how much came back', async () => {
    const old = await send(
      [file('report_html', await report(uniqueBytes(200_000))), file('trace_0', 'old')],
      daysAgo(40),
    );
    const kept = await send([file('report_html', await report('new')), file('trace_0', 'new')], daysAgo(5));
    const before = bytesInBlobs();
    const answer = await server.client.cleanUp({ body: { olderThanDays: 30 } });
    expect(answer).toMatchObject({ success: true, deletedRuns: 1 });
    expect(storedHashes(server.dataDir)).toEqual(hashesOf([PAGE, LIBRARY, PICTURE, 'new']));
    expect(answer.freedBytes).toBeGreaterThanOrEqual(before - bytesInBlobs());
    expect((await rawRequest(server, filePath(old.reportPath!))).status).toBe(404);
    expect(await readStored(server, beside(kept.reportPath!, 'data.bin'))).toEqual(Buffer.from('new'));
  });

  it('of everything leaves no file', async () => {
    for (let run = 0; run < 5; run++) await send([file('report_html', await report(`${run}`))], daysAgo(10 + run));
    expect(await server.client.cleanUp({ body: { olderThanDays: 2 } })).toMatchObject({ deletedRuns: 5 });
    expect(filesIn(server.dataDir, 'blobs')).toEqual([]);
  });
});

describe('a restart', () => {
  it('keeps everything that is in use', async () => {
    using folder = newFolder();
    const parts = [...textFields(), file('report_html', await report('one')), file('trace_0', PICTURE)];
    const before = await startTestServer({ dataDir: folder.path });
    const answer = await upload(before, parts);
    const hashes = storedHashes(folder.path);
    await before.stop();
    await using after = await startTestServer({ dataDir: folder.path });
    expect(await readStored(after, answer.traces[0]!.path)).toEqual(PICTURE);
    expect(await readStored(after, beside(answer.reportPath!, 'library.js'))).toEqual(Buffer.from(LIBRARY));
    expect(storedHashes(folder.path)).toEqual(hashes);
  });
});
