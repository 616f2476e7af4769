import { execFile, fork } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SHAPES, writeAllureResults, writeLargeReport } from '../packages/import/test/large-reports.ts';
import { processFlags } from '../packages/server/src/background-thread.ts';
import type { FromProcess } from '../packages/server/src/importing/import-process.ts';
import type { ImportTask, PartRead } from '../packages/server/src/importing/read-report-files.ts';
import { MEMORY_MB } from '../packages/server/src/importing/report-reader.ts';
import { buildReporter } from '../scripts/build-reporter.ts';
import { type Row, megabytes } from './figures.ts';
import type { BenchService } from './service.ts';

const RESULTS = 100_000;
const LIMIT_BYTES = 200 * 1024 * 1024;
const FORMATS = [...Object.keys(SHAPES), 'Allure results'];

/** The most memory that `assay upload` and the import process of the service take for a large report, by format. */
export const importRows = async (
  service: BenchService,
  { built, workDir, format: only }: { built: string; workDir: string; format: string | undefined },
): Promise<Row[]> => {
  const command = join(dirname(await buildReporter(join(workDir, 'reporter'))), 'assay.cjs');
  const rows: Row[] = [];
  for (const format of FORMATS.filter((name) => only === undefined || name === only)) {
    const folder = join(workDir, 'import');
    mkdirSync(folder, { recursive: true });
    try {
      const report = await writeReport(format, folder);
      const bytes = [
        await uploadWith(command, report, service.url, folder),
        await readWith(join(dirname(built), 'import-process.js'), report, folder),
      ];
      rows.push({
        what: `${RESULTS} results of ${format}: command, service`,
        measured: bytes.map(megabytes).join(', '),
        limit: megabytes(LIMIT_BYTES),
        ok: bytes.every((one) => one <= LIMIT_BYTES),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
};

const writeReport = (format: string, folder: string): Promise<string> | string =>
  Object.hasOwn(SHAPES, format) ? writeLargeReport(format, RESULTS, folder) : writeAllureResults(RESULTS, folder);

/** Linux keeps it. */
const peakBytes = (status: string): number => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;

const TELL_PEAK = `data:text/javascript,
import { readFileSync } from 'node:fs';
process.on('exit', () => process.stderr.write(readFileSync('/proc/self/status', 'utf8')));`;

const uploadWith = async (command: string, report: string, url: string, cwd: string): Promise<number> => {
  const args = ['--import', TELL_PEAK, command, 'upload', report, '--url', url, '--project', 'imports', '--strict'];
  const env = { ...process.env, ASSAY_SPOOL_DIR: join(cwd, 'spool'), ASSAY_TIMEOUT_MS: '600000' };
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd, env });
  const countOf = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(stderr)?.[1] ?? 0);
  expectResults(countOf('passed') + countOf('failed'), report);
  return peakBytes(stderr);
};

/** The process as the service starts it, with the files of a request as its task. */
const readWith = async (entry: string, report: string, folder: string): Promise<number> => {
  const intoDir = join(folder, 'parts');
  mkdirSync(intoDir);
  const names = statSync(report).isDirectory() ? readdirSync(report) : [''];
  const task: ImportTask = {
    files: names.map((name) => ({ file: join(report, name), name: name === '' ? basename(report) : name })),
    intoDir,
    limits: { maxEntries: 1e6, maxBytes: 1e9, maxFileBytes: 1e9, maxRatio: 1_000 },
    root: '',
    told: { projectName: 'imports' },
    runKey: null,
    shard: null,
    incomplete: false,
  };
  const child = fork(entry, { execArgv: processFlags(MEMORY_MB), serialization: 'advanced' });
  try {
    const answer = new Promise<FromProcess>((resolve, reject) => {
      child.once('message', (message) => resolve(message as FromProcess)).once('exit', reject);
    });
    child.send(task);
    const read = await answer;
    if (!('ok' in read) || !read.ok) throw new Error(`${report} was not read: ${JSON.stringify(read)}`);
    const [{ testRun }] = read.parts as [PartRead];
    expectResults((JSON.parse(testRun) as { totalTests: number }).totalTests, report);
    return peakBytes(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  } finally {
    child.kill();
  }
};

const expectResults = (results: number, report: string): void => {
  if (results !== RESULTS) throw new Error(`${results} results of ${report} arrived, not ${RESULTS}`);
};
