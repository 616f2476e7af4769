import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildReporter } from '../scripts/build-reporter.ts';
import { type Row, percentile, times } from './figures.ts';
import type { BenchService } from './service.ts';

const TESTS = 1_000;
const FILES = 20;
const ROUNDS = 5;
const LIMIT = 1.02;

const SPEC = `import { expect, test } from '@playwright/test';

for (let n = 0; n < ${TESTS / FILES}; n++) {
  test('test ' + n, async () => {
    await test.step('prepare', () => new Promise((resolve) => setTimeout(resolve, 10)));
    expect(n).toBeGreaterThanOrEqual(0);
  });
}
`;

/** How much longer Playwright takes with the reporter, as it is published, in turns with runs without it. */
export const reporterRows = async (service: BenchService, root: string, workDir: string): Promise<Row[]> => {
  const project = await makeProject(root, join(workDir, 'reporter-project'));
  const run = (config: string): Promise<number> => timeOf(root, project, config, service.url);
  await run('with.config.ts');
  const without: number[] = [];
  const withIt: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    without.push(await run('without.config.ts'));
    withIt.push(await run('with.config.ts'));
  }
  const runs = (await (await fetch(`${service.url}/api/projects/1`)).json()) as { testRuns: { totalTests: number }[] };
  const complete = runs.testRuns.filter(({ totalTests }) => totalTests === TESTS).length;
  const [plain, reported] = [percentile(without, 50), percentile(withIt, 50)];
  const ratio = reported / plain;
  return [
    {
      what: `A Playwright run of ${TESTS} tests without and with the reporter, median of ${ROUNDS}`,
      measured: `${seconds(plain)} and ${seconds(reported)} = ${times(ratio, 3)}`,
      limit: times(LIMIT),
      ok: ratio <= LIMIT,
    },
    { what: 'Fastest of each', measured: `${seconds(Math.min(...without))} and ${seconds(Math.min(...withIt))}` },
    { what: 'Runs that arrived complete', measured: `${complete} of ${ROUNDS + 1}`, ok: complete === ROUNDS + 1 },
  ];
};

const makeProject = async (root: string, project: string): Promise<string> => {
  rmSync(project, { recursive: true, force: true });
  const installed = join(project, 'node_modules/@assay/reporter');
  mkdirSync(dirname(installed), { recursive: true });
  cpSync(dirname(await buildReporter()), installed, { recursive: true });
  for (const name of ['@playwright', 'playwright', 'playwright-core']) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  const config = (reporters: string): string =>
    `export default { testDir: 'tests', workers: 2, fullyParallel: true, reporter: [['dot']${reporters}] };\n`;
  writeFileSync(join(project, 'without.config.ts'), config(''));
  writeFileSync(join(project, 'with.config.ts'), config(`, ['@assay/reporter', { projectName: 'bench' }]`));
  mkdirSync(join(project, 'tests'));
  for (let n = 0; n < FILES; n++) writeFileSync(join(project, 'tests', `file-${n}.spec.ts`), SPEC);
  return project;
};

const timeOf = async (root: string, project: string, config: string, url: string): Promise<number> => {
  const start = performance.now();
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const child = spawn(process.execPath, [cli, 'test', `--config=${config}`], {
    cwd: project,
    env: { ...process.env, ASSAY_URL: url, ASSAY_SPOOL_DIR: join(project, 'spool') },
    stdio: 'ignore',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`Playwright ended with ${String(code)}`);
  return (performance.now() - start) / 1000;
};

const seconds = (value: number): string => `${value.toFixed(2)} s`;
