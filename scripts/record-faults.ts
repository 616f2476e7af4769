import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Client, TestCaseDetails } from '@assay/contract';
import { newFolder, startServiceProcess } from '../packages/server/test/robustness/service-process.ts';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './chromium.ts';

const root = join(import.meta.dirname, '..');
const TESTKIT = join(root, 'packages/testkit');
const RECORDED = join(TESTKIT, 'faulty-bookshop/executions.json.gz');
const PROJECT = 'faulty bookshop';
const PATIENCE_MS = 120_000;

/** Runs the bookshop with each of its faults in a real browser and keeps what Assay then knows of every result. */
const main = async (): Promise<void> => {
  using data = newFolder();
  await using service = await startServiceProcess(data.path);
  const folder = mkdtempSync(join(tmpdir(), 'faulty-bookshop-'));
  try {
    for (const name of ['bookshop', 'faulty-bookshop'])
      cpSync(join(TESTKIT, name), join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const cli = join(root, 'node_modules/@playwright/test/cli.js');
    const reporter = join(root, 'packages/reporter/src/index.ts');
    const child = spawn(process.execPath, [cli, 'test', `--reporter=line,${reporter}`], {
      cwd: join(folder, 'faulty-bookshop'),
      env: {
        ...process.env,
        CHROMIUM_PATH: await findOrInstallChromium(),
        CHROMIUM_FLAGS: CHROMIUM_FLAGS.join(' '),
        ASSAY_URL: service.url,
        ASSAY_PROJECT: PROJECT,
      },
      stdio: 'inherit',
    });
    await once(child, 'close');
  } finally {
    rmSync(folder, { recursive: true });
  }
  const executions = await readExecutions(service.client);
  writeFileSync(RECORDED, gzipSync(JSON.stringify(executions), { level: 9 }));
  console.log(`${executions.length} executions`);
};

/** When all traces have been read. */
const readExecutions = async (client: Client): Promise<object[]> => {
  const [project] = await client.listProjects({});
  const { testRuns } = await client.getProject({ params: { id: project!.id } });
  const run = await client.getRun({ params: { id: testRuns[0]!.id }, query: { details: false } });
  const until = Date.now() + PATIENCE_MS;
  const executions: object[] = [];
  for (const { id } of run.testCases) {
    let result: TestCaseDetails;
    do result = await client.getTestCase({ params: { id } });
    while (result.traces.some(({ state }) => state === 'waiting') && Date.now() < until);
    const {
      browser: variant,
      title,
      status,
      error,
      duration,
      steps,
      networkRequests,
      console: messages,
      attempts,
    } = result;
    executions.push({ variant, title, status, error, duration, steps, networkRequests, console: messages, attempts });
  }
  return executions;
};

await main();
