import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Vitest } from 'vitest/node';
import { type TestServer, startTestServer } from '../../../server/test/server.ts';
import AssayReporter from '../../src/vitest/index.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const REPORTER = join(import.meta.dirname, '../../src/vitest/index.ts');

const PRICE = `
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
describe('price', () => {
  describe('with tax', () => {
    it('adds the tax', () => expect(119).toBe(119));
    it('rounds half a cent', () => {
      console.log('rounding');
      expect({ cents: 1 }).toEqual({ cents: 0 });
    });
  });
  let tries = 0;
  it('is fetched in the end', { retry: 2 }, async ({ annotate }) => {
    await annotate('SHOP-12', 'issue');
    if (++tries < 3) throw new Error('no answer at try ' + tries);
  });
  it('never comes', { retry: 1 }, () => { throw new TypeError('no price'); });
  it.skip('is shown in guilders', () => {});
  it.todo('is shown in shells');
  it('takes too long', { timeout: 50 }, () => new Promise(() => {}));
  it('is refused with a code', () => { throw { code: 1 }; });
  it.fails('is wrong as expected', () => expect(1).toBe(2));
  describe('from the bank', () => {
    beforeAll(() => { throw new Error('the bank is closed'); });
    it('is asked', () => {});
  });
});
it.each([1, 2])('doubles %i', (n) => expect(n * 2).toBe(n + n));
`;

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-vitest-')));
  mkdirSync(join(folder, '.git'));
  mkdirSync(join(folder, 'unit'));
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'unit/price.test.ts'), PRICE);
  writeFileSync(join(folder, 'unit/broken.test.ts'), "import './does-not-exist.ts';\n");
  const reporters = JSON.stringify([[REPORTER, { metadata: { team: 'shop' } }]]);
  const settings = `reporters: ${reporters}, includeTaskLocation: true, include: ['unit/*.test.ts'], maxWorkers: 1`;
  writeFileSync(join(folder, 'vitest.config.ts'), `export default { test: { name: 'node', ${settings} } };\n`);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

const runVitest = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const cli = join(REPOSITORY, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [cli, 'run', ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ASSAY_SPOOL_DIR: join(folder, 'spool'), ASSAY_TIMEOUT_MS: '20000', ...env },
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, output: stdout + stderr };
};

const runIn = async (output: string) => {
  const id = Number(/\/test-runs\/(\d+)/.exec(output)?.[1]);
  return server.client.getRun({ params: { id } });
};

describe('the Vitest reporter', () => {
  it('sends one case for each test, with attempts, errors and places', async () => {
    const { code, output } = await runVitest([], { ASSAY_URL: server.url, ASSAY_PROJECT: 'unit' });
    expect(code, output).toBe(1);
    const run = await runIn(output);
    expect(run).toMatchObject({
      status: 'failed',
      project: { name: 'unit' },
      metadata: { team: 'shop', vitest: { version: expect.any(String), projects: ['node'] } },
    });
    const told = run.testCases.map(
      (one) => `${one.status} ${one.retries} ${one.filePath} | ${one.title} [${one.browser}]`,
    );
    expect(told.sort()).toEqual([
      'failed 0 unit/broken.test.ts | broken.test.ts [node]',
      'failed 0 unit/price.test.ts | price › from the bank [node]',
      'failed 0 unit/price.test.ts | price › is refused with a code [node]',
      'failed 0 unit/price.test.ts | price › with tax › rounds half a cent [node]',
      'failed 1 unit/price.test.ts | price › never comes [node]',
      'passed 0 unit/price.test.ts | doubles 1 [node]',
      'passed 0 unit/price.test.ts | doubles 2 [node]',
      'passed 0 unit/price.test.ts | price › is wrong as expected [node]',
      'passed 0 unit/price.test.ts | price › with tax › adds the tax [node]',
      'passed 2 unit/price.test.ts | price › is fetched in the end [node]',
      'skipped 0 unit/price.test.ts | price › from the bank › is asked [node]',
      'skipped 0 unit/price.test.ts | price › is shown in guilders [node]',
      'skipped 0 unit/price.test.ts | price › is shown in shells [node]',
      'timedOut 0 unit/price.test.ts | price › takes too long [node]',
    ]);
    const caseOf = (title: string) => run.testCases.find((one) => one.title.endsWith(title))!;
    expect(caseOf('rounds half a cent')).toMatchObject({ line: 6, error: expect.stringContaining('AssertionError') });
    expect(caseOf('rounds half a cent').error).toContain('price.test.ts:8');
    expect(caseOf('rounds half a cent').attempts).toMatchObject([{ stdout: 'rounding\n' }]);
    expect(caseOf('is fetched in the end')).toMatchObject({
      error: null,
      annotations: expect.arrayContaining([{ type: 'issue', description: 'SHOP-12' }]),
      attempts: [
        { retry: 0, status: 'failed', error: expect.stringContaining('no answer at try 1') },
        { retry: 1, status: 'failed', error: expect.stringContaining('no answer at try 2') },
        { retry: 2, status: 'passed' },
      ],
    });
    expect(caseOf('is refused with a code').error).toContain('"code":1');
    expect(caseOf('from the bank').error).toContain('the bank is closed');
    expect(caseOf('broken.test.ts').error).toContain('does-not-exist');
  });

  it('sends shards as parts of one run', async () => {
    const env = { ASSAY_URL: server.url, ASSAY_PROJECT: 'sharded', ASSAY_RUN_KEY: 'build 7' };
    const first = await runVitest(['--shard=1/2'], env);
    const second = await runVitest(['--shard=2/2'], env);
    const run = await runIn(second.output);
    expect(run.id).toBe((await runIn(first.output)).id);
    expect(run).toMatchObject({ totalTests: 14, shards: { total: 2, missing: [] } });
  });

  it('with a run key takes the place of what was sent before, as when a job is tried again', async () => {
    const env = { ASSAY_URL: server.url, ASSAY_PROJECT: 'again', ASSAY_RUN_KEY: 'build 7' };
    const first = await runVitest(['-t', 'adds the tax', 'price'], env);
    const second = await runVitest(['-t', 'rounds', 'price'], env);
    const run = await runIn(second.output);
    expect(run.id).toBe((await runIn(first.output)).id);
    expect(run).toMatchObject({ status: 'failed', failedTests: 1, passedTests: 0 });
  });

  it('leaves a run as it is when nobody answers', async () => {
    const { code, output } = await runVitest(['-t', 'adds the tax', 'price'], {
      ASSAY_URL: 'http://127.0.0.1:9',
      ASSAY_PROJECT: 'away',
      ASSAY_TIMEOUT_MS: '500',
    });
    expect(output).toContain('Assay: not sent');
    expect(code, output).toBe(0);
  });

  it('that is set up wrongly says so in one line', () => {
    const said: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(said.push(String(text))));
    new AssayReporter({ serverUrl: 'nowhere', projectName: 'x' }).onInit({ config: { watch: false } } as Vitest);
    write.mockRestore();
    expect(said).toEqual([
      expect.stringMatching(/^Assay: this run will not be sent: serverUrl must be an address .*\n$/),
    ]);
  });
});
