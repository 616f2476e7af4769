import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oncePerRun } from '@assay/testkit/once-per-run';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';

/** Real reports of the project in `playwright-project`; all paths are absolute. */
export interface PlaywrightReports {
  readonly htmlDir: string;
  readonly monocartDir: string;
  /** Of two shards. */
  readonly blobs: string[];
  /** One for each attempt, in the order of the JSON report. */
  readonly traces: AttemptTrace[];
  readonly json: JSONReport;
}

export interface AttemptTrace {
  readonly title: string;
  readonly status: string;
  readonly retry: number;
  readonly file: string;
}

const PROJECT = join(import.meta.dirname, 'playwright-project');
const require = createRequire(import.meta.url);
const CLI = require.resolve('@playwright/test/cli');
const MONOCART = require.resolve('monocart-reporter');

/** For a hook that calls this: the project runs in a real browser. */
export const PLAYWRIGHT_REPORTS_TIMEOUT_MS = 180_000;

/** Made once for all test files of a test run: two shards, and from their blobs the reports of all tests. */
export const makePlaywrightReports = (chromium: string): Promise<PlaywrightReports> =>
  oncePerRun('playwright', async (folder) => {
    const blobDir = join(folder, 'blobs');
    const htmlDir = join(folder, 'html');
    const monocartDir = join(folder, 'monocart');
    const jsonFile = join(folder, 'report.json');
    const blobs = await Promise.all([1, 2].map((shard) => runShard(chromium, folder, blobDir, shard)));
    await runPlaywright(['merge-reports', '--config=playwright.config.ts', blobDir], {
      REPORTERS: JSON.stringify([
        ['html', { open: 'never', outputFolder: htmlDir }],
        ['json', { outputFile: jsonFile }],
        [MONOCART, { name: 'Shop', outputFile: join(monocartDir, 'index.html'), logging: 'off' }],
      ]),
    });
    const json = JSON.parse(readFileSync(jsonFile, 'utf8')) as JSONReport;
    return { htmlDir, monocartDir, blobs, traces: json.suites.flatMap(tracesOf), json };
  });

const runShard = async (chromium: string, folder: string, blobDir: string, shard: number): Promise<string> => {
  const outputFile = join(blobDir, `shard-${shard}.zip`);
  await runPlaywright(['test', `--shard=${shard}/2`], {
    CHROMIUM_PATH: chromium,
    OUTPUT_DIR: join(folder, `results-${shard}`),
    REPORTERS: JSON.stringify([['blob', { outputFile }]]),
  });
  return outputFile;
};

const tracesOf = (suite: JSONReportSuite): AttemptTrace[] => {
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.flatMap(({ status = 'unknown', retry, attachments }) =>
        attachments.flatMap(({ name, path }) =>
          name === 'trace' && path ? [{ title, status, retry, file: path }] : [],
        ),
      ),
    ),
  );
  return [...own, ...(suite.suites ?? []).flatMap(tracesOf)];
};

/** Vitest's own environment would confuse Playwright. Tests of the project fail, so it may end with 1. */
const runPlaywright = async (args: readonly string[], settings: Readonly<Record<string, string>>): Promise<void> => {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: PROJECT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'] ?? tmpdir(),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.once('close', resolve).once('error', resolve);
  });
  if (code !== 0 && code !== 1) throw new Error(`Playwright ended with ${String(code)}: ${output}`);
};
