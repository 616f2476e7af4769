/**
 * Runs the journeys, `npm run test:e2e -- [what playwright test takes]`, reported by our own reporter: to the Assay that
 * `ASSAY_URL` names, else to one of this run alone, which must have all of them in the end.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@assay/contract';
import type { JSONReport } from '@playwright/test/reporter';
import { startServiceProcess } from '../packages/server/test/robustness/service-process.ts';

const CLI = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
const PROJECT = 'assay';

const runJourneys = (environment: NodeJS.ProcessEnv = {}): Promise<number> => {
  const options: SpawnOptions = { stdio: 'inherit', env: { ...process.env, ...environment } };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, 'test', ...process.argv.slice(2)], options);
    child.once('exit', (code) => resolve(code ?? 1));
  });
};

const runAndReadBack = async (folder: string): Promise<number> => {
  await using service = await startServiceProcess(join(folder, 'data'));
  const summary = join(folder, 'summary.json');
  const code = await runJourneys({
    ASSAY_URL: service.url,
    ASSAY_PROJECT: PROJECT,
    ASSAY_SPOOL_DIR: join(folder, 'spool'),
    E2E_SUMMARY: summary,
  });
  // Nothing ran: the tests were only listed, or could not be read.
  if (process.argv.includes('--list') || !existsSync(summary)) return code;
  const { stats } = JSON.parse(readFileSync(summary, 'utf8')) as JSONReport;
  const told = { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  const arrived = await readBack(service.client);
  if (JSON.stringify(arrived) === JSON.stringify(told)) return code;
  console.error(`Assay has ${JSON.stringify(arrived)} of its own journeys, they were ${JSON.stringify(told)}`);
  return 1;
};

const readBack = async (client: Client) => {
  const id = (await client.listProjects()).find(({ name }) => name === PROJECT)?.id;
  if (id === undefined) return null;
  const { testRuns } = await client.getProject({ params: { id } });
  if (testRuns.length !== 1) return `${testRuns.length} runs`;
  const { passedTests: passed, failedTests: failed, skippedTests: skipped } = testRuns[0]!;
  return { passed, failed, skipped };
};

if (process.env['ASSAY_URL']) process.exitCode = await runJourneys();
else {
  // Ctrl+C reaches the journeys by itself; what they did not do is then told too.
  process.on('SIGINT', () => {});
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-report-'));
  process.exitCode = await runAndReadBack(folder);
  rmSync(folder, { recursive: true, force: true });
}
