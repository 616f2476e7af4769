import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHAPES, writeAllureResults, writeLargeReport } from '../packages/import/test/large-reports.ts';
import { type Row, megabytes } from './figures.ts';

const RESULTS = 100_000;
/** A file for each result costs the disk more than the importer. */
const ALLURE_RESULTS = 20_000;
const LIMIT_BYTES = 200 * 1024 * 1024;

const READ = `
import { existsSync, readFileSync } from 'node:fs';
import { importFiles } from '@assay/import';
const read = await importFiles([process.argv[1]], { root: '/home/ci/shop' });
const kilobytes = existsSync('/proc/self/status')
  ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  : process.resourceUsage().maxRSS;
const results = read.ok ? read.runs[0].cases.length : 0;
console.log(JSON.stringify({ results, bytes: kilobytes * 1024 }));
`;

/** The memory of a process that reads a large report, by format. */
export const importRows = async (root: string, workDir: string): Promise<Row[]> => {
  const rows: Row[] = [];
  const measure = async (format: string, expected: number, write: (folder: string) => Promise<string> | string) => {
    const folder = join(workDir, 'import');
    mkdirSync(folder, { recursive: true });
    try {
      const args = ['--input-type=module', '--eval', READ, await write(folder)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
      const { results, bytes } = JSON.parse(stdout) as { results: number; bytes: number };
      const ok = results === expected && bytes <= LIMIT_BYTES;
      rows.push({
        what: `${results} results of ${format}`,
        measured: megabytes(bytes),
        limit: megabytes(LIMIT_BYTES),
        ok,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  for (const format of Object.keys(SHAPES)) {
    await measure(format, RESULTS, (folder) => writeLargeReport(format, RESULTS, folder));
  }
  await measure('Allure results', ALLURE_RESULTS, (folder) => writeAllureResults(ALLURE_RESULTS, folder));
  return rows;
};
