import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, megabytes, percentile, printTable, times } from './figures.ts';
import { startHelper } from './helper-process.ts';
import { type Connection, getRequest, openConnection } from './http-client.ts';
import { settledRss, timed, watchRss } from './measuring.ts';
import { makePlaywrightReport, zipFolder } from './playwright-report.ts';
import { type BenchService, folderBytes } from './service.ts';
import { runTexts, upload } from './upload-client.ts';

const GIB = 1024 ** 3;
const MB = 1024 ** 2;
const ROUNDS = 3;
const COPIES = 20;
const ASSET_ROUNDS = 5;
const ASSET_REQUESTS = 2_000;

export type WithService = <T>(work: (service: BenchService) => Promise<T>, dataDir?: string) => Promise<T>;

/** Uploads and files: memory, throughput, what sharing saves, and how fast files go out again. */
export const benchFiles = async (withService: WithService, root: string, workDir: string): Promise<void> => {
  printTable('Uploads', [
    ...(await withService((service) => largeUpload(service, workDir))),
    ...(await withService(manyUploads)),
  ]);
  const report = makePlaywrightReport(root, workDir);
  printTable('Files', await storedFiles(withService, report, workDir));
};

const largeUpload = async (service: BenchService, workDir: string): Promise<Row[]> => {
  const receiver = await startHelper<number>('raw-receiver.ts', join(workDir, 'raw'));
  const seconds: number[] = [];
  const rawSeconds: number[] = [];
  const before = await settledRss(service, 2_000);
  const peak = watchRss(service);
  let growth = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const parts = [0, 1].map((index) => ({
      name: `trace_${index}`,
      fileName: 'trace.zip',
      content: { randomBytes: GIB, seed: round * 2 + index },
    }));
    const form = [...runTexts('large', 2), ...parts];
    rawSeconds.push(await timed(() => upload(`http://127.0.0.1:${receiver.told}`, form)));
    seconds.push(await timed(() => upload(`${service.url}/api/test-runs/upload`, form)));
    if (round === 0) growth = peak.stop() - before;
    await fetch(`${service.url}/api/test-runs/${round + 1}`, { method: 'DELETE' });
  }
  await receiver.stop();
  rmSync(join(workDir, 'raw'), { force: true });
  const perSecond = (2 * GIB) / percentile(seconds, 50);
  const ratio = percentile(rawSeconds, 50) / percentile(seconds, 50);
  return [
    {
      what: 'An upload of 2 GiB: growth of RSS',
      measured: megabytes(growth),
      limit: '64 MB',
      ok: growth <= 64 * MB,
    },
    {
      what: 'Its speed beside a raw pipe to disk with the same hash',
      measured: `${megabytes(perSecond)}/s = ${times(ratio)}`,
      limit: 'at least 0.6 ×',
      ok: ratio >= 0.6,
    },
  ];
};

const manyUploads = async (service: BenchService): Promise<Row[]> => {
  const before = await settledRss(service, 2_000);
  const peak = watchRss(service);
  await Promise.all(
    Array.from({ length: 10 }, (_, seed) =>
      upload(`${service.url}/api/test-runs/upload`, [
        ...runTexts('many', 1),
        { name: 'trace_0', fileName: 'trace.zip', content: { randomBytes: 100 * MB, seed } },
      ]),
    ),
  );
  const growth = peak.stop() - before;
  return [
    {
      what: 'Ten uploads of 100 MB at once: growth of RSS',
      measured: megabytes(growth),
      limit: '128 MB',
      ok: growth <= 128 * MB,
    },
  ];
};

/** On disk as a service leaves it when it stops: what is in its log then is in its database. */
const storedFiles = async (withService: WithService, report: string, workDir: string): Promise<Row[]> => {
  const archive = join(workDir, 'report.zip');
  await zipFolder(report, archive);
  const dataDir = join(workDir, 'copies');
  rmSync(dataDir, { recursive: true, force: true });
  const bytesAfter = async (uploads: number): Promise<number> => {
    await withService(async (service) => {
      for (let n = 0; n < uploads; n++) {
        await upload(`${service.url}/api/test-runs/upload`, [
          ...runTexts('copies', 1),
          { name: 'report_html', fileName: 'report.zip', content: { file: archive } },
        ]);
      }
    }, dataDir);
    return folderBytes(dataDir);
  };
  const empty = await bytesAfter(0);
  const one = (await bytesAfter(1)) - empty;
  const all = (await bytesAfter(COPIES - 1)) - empty;
  return [
    {
      what: 'A report by Playwright, as a zip and on disk',
      measured: `${kilobytes(statSync(archive).size)} and ${kilobytes(one)}`,
    },
    {
      what: `The same report ${COPIES} times, on disk`,
      measured: `${kilobytes(all)} = ${times(all / one)}`,
      limit: '1.3 ×',
      ok: all / one <= 1.3,
    },
    ...(await withService((service) => servedAssets(service, report, workDir), dataDir)),
  ];
};

const servedAssets = async (service: BenchService, report: string, workDir: string): Promise<Row[]> => {
  const folder = join(workDir, 'plain');
  mkdirSync(folder, { recursive: true });
  const picture = largestFile(report, '.png');
  copyFileSync(join(report, picture), join(folder, 'asset.png'));
  const plain = await startHelper<number>('plain-files.ts', folder);
  const stored = await openConnection(service.url);
  const fromDisk = await openConnection(`http://127.0.0.1:${plain.told}`);
  const storedRates: number[] = [];
  const plainRates: number[] = [];
  for (let round = 0; round < ASSET_ROUNDS; round++) {
    plainRates.push(await requestsPerSecond(fromDisk, '/asset.png'));
    storedRates.push(await requestsPerSecond(stored, `/api/files/reports/1/${picture}`));
  }
  stored.close();
  fromDisk.close();
  await plain.stop();
  const rate = percentile(storedRates, 50);
  const ratio = rate / percentile(plainRates, 50);
  return [
    {
      what: 'Requests per second for one of its pictures, beside the same file from plain disk by Fastify',
      measured: `${Math.round(rate)}/s = ${times(ratio)}`,
      limit: 'at least 0.8 ×',
      ok: ratio >= 0.8,
    },
  ];
};

const requestsPerSecond = async (connection: Connection, path: string): Promise<number> => {
  const request = getRequest(path);
  const seconds = await timed(async () => {
    for (let n = 0; n < ASSET_REQUESTS; n++) {
      const { status } = await connection.send(request);
      if (status !== 200) throw new Error(`${path} was answered ${status}`);
    }
  });
  return ASSET_REQUESTS / seconds;
};

const largestFile = (folder: string, extension: string): string => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(extension));
  const sizes = new Map(files.map((path) => [path, statSync(join(folder, path)).size]));
  return files.sort((a, b) => sizes.get(b)! - sizes.get(a)!)[0]!;
};

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;
