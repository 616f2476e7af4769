import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunDetails } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildReporter } from '../../../scripts/build-reporter.ts';
import { CHROMIUM_FLAGS } from '../../../scripts/chromium.ts';
import { publishDryRun } from '../../../scripts/publish-dry-run.ts';
import { PLAYWRIGHT_TIMEOUT_MS, runPlaywright } from './playwright-run.ts';
import { type Ended, type Project, createProject, startIn } from './project.ts';
import { type Service, sharedService } from './service.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The reporter is first, so that the report is made after it. */
const configOf = (launchOptions: object): string => `
import { defineConfig } from '@playwright/test';
import type { AssayOptions } from '@assay/reporter';

const options: AssayOptions = { projectName: 'packed', metadata: { team: 'carts' } };
export default defineConfig({
  testDir: '.',
  workers: 1,
  reporter: [['@assay/reporter', options], ['html', { open: 'never' }]],
  use: { launchOptions: ${JSON.stringify(launchOptions)} },
});
`;

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1><button onclick="load()">Load</button>
<script>
  const load = async () => {
    const end = performance.now() + 60;
    while (performance.now() < end);
    void fetch('/api/never');
    await fetch('/api/items?token=secret');
    document.querySelector('h1').textContent = 'Loaded';
  };
</script>`;

const SPEC = `
import { type AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { expect, test } from '@assay/reporter/fixtures';

let url = '';
const server = createServer((request, response) => {
  if (request.url === '/api/never') return;
  if (request.url!.startsWith('/api')) response.writeHead(404).end('{}');
  else response.writeHead(200, { 'content-type': 'text/html' }).end(${JSON.stringify(PAGE)});
});
test.beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = 'http://127.0.0.1:' + (server.address() as AddressInfo).port;
});
test.afterAll(() => server.close());

test('opens the shop', async ({ page }) => {
  await page.goto(url + '/shop?token=secret');
  await page.getByRole('button').click();
  await expect(page.getByRole('heading')).toHaveText('Loaded');
});
test('needs no page', () => {});
`;

const CYPRESS_CONFIG = `
import assay from '@assay/reporter/cypress';
export default { e2e: { setupNodeEvents: (on: Parameters<typeof assay>[0], config: { projectRoot: string }) => void assay(on, config, {}) } };
`;

describe('the package as it is built, in a project that is no module', () => {
  let service: Service;
  let project: Project;
  let installed: string;
  let ended: Ended;
  let run: RunDetails;

  beforeAll(async () => {
    service = await sharedService();
    const launch = { executablePath: inject('chromium'), args: CHROMIUM_FLAGS };
    project = createProject({
      'package.json': '{}',
      'playwright.config.ts': configOf(launch),
      'shop.spec.ts': SPEC,
      'cypress.config.ts': CYPRESS_CONFIG,
    });
    const modules = join(project.folder, 'node_modules');
    rmSync(modules);
    installed = join(modules, '@assay/reporter');
    mkdirSync(dirname(installed), { recursive: true });
    await buildReporter(installed);
    for (const name of ['@playwright', 'playwright', 'playwright-core', '@types', 'undici-types']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    ended = await runPlaywright(project, { ASSAY_URL: service.url });
    run = (await service.runsOf('packed'))[0]!;
  }, PLAYWRIGHT_TIMEOUT_MS);

  afterAll(() => project[Symbol.dispose]());

  it('brings all it needs, and may be published', async () => {
    expect(await publishDryRun(installed)).toMatchObject({ corrections: [] });
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('private');
    for (const name of readdirSync(installed).filter((name) => /\.c?js$/.test(name))) {
      expect(readFileSync(join(installed, name), 'utf8')).not.toMatch(
        /['"](?:@assay\/contract|typebox|yazl|yauzl|sax)['"]/,
      );
    }
  });

  it('is found by its name and sends the run, with a report that is made after it', () => {
    expect(ended.code, ended.output).toBe(0);
    expect(ended.said).toEqual([expect.stringMatching(/^Assay: 2 passed http/)]);
    expect(ended.output, 'the reporter for the terminal is still there').toContain('2 passed (');
    expect(run).toMatchObject({ metadata: { team: 'carts' }, reports: [{ type: 'html' }] });
  });

  it('has fixtures that tell the requests and vitals of a test, without queries; a test without a page has none', () => {
    const [opens, needsNone] = run.testCases;
    const requests = opens!.networkRequests!.toSorted((a, b) => b.url.localeCompare(a.url));
    expect(requests).toMatchObject([
      { method: 'GET', url: expect.stringMatching(/\/shop$/), status: 200, resourceType: 'document' },
      { url: expect.stringMatching(/\/api\/never$/), status: null, duration: null, startTime: expect.any(Number) },
      { method: 'GET', url: expect.stringMatching(/\/api\/items$/), status: 404, resourceType: 'fetch' },
    ]);
    expect(requests[0]!.duration).toBeGreaterThan(0);
    const { navigation, paint, lcp, cls, inp } = opens!.webVitals!;
    expect(navigation).toMatchObject({ url: expect.stringMatching(/\/shop$/), ttfb: expect.any(Number) });
    expect(paint!.firstContentfulPaint).toBeGreaterThan(0);
    expect(lcp).toBeGreaterThan(0);
    expect(cls).toBeGreaterThanOrEqual(0);
    expect(inp).toBeGreaterThan(50);
    expect(JSON.stringify(run)).not.toContain('secret');
    expect(needsNone).toMatchObject({ networkRequests: [], webVitals: null });
  });

  it('tells an old Node in one line, and lets its tests run', () => {
    const old = join(project.folder, 'old.cjs');
    writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '18.20.8' });`);
    const load = (name: string): string => `
      const Reporter = (await import('@assay/reporter${name}')).default;
      if (typeof new Reporter({}, {}).onBegin !== 'undefined') throw new Error('reports');`;
    for (const [what, args] of [
      [
        'reporter',
        [
          '--input-type=module',
          '-e',
          ['', '/vitest', '/jest', '/mocha', '/cypress']
            .map(load)
            .join('\n')
            .replaceAll('const Reporter', 'var Reporter'),
        ],
      ],
      ['command', [join(installed, 'assay.cjs'), 'flush']],
    ] as const) {
      const { stderr, status } = spawnSync(process.execPath, ['--require', old, ...args], {
        cwd: project.folder,
        encoding: 'utf8',
      });
      const line = 'needs Node 20.3 or newer, but this is Node 18.20.8\n';
      expect([status, stderr]).toEqual(
        what === 'command'
          ? [2, `assay: ${line}`]
          : [0, `Assay: this run will not be sent: @assay/reporter ${line}`.repeat(5)],
      );
    }
  });

  it.each(['jest', 'mocha'] as const)('has a reporter for %s', async (runner) => {
    const modules = join(project.folder, 'node_modules');
    symlinkSync(join(ROOT, 'node_modules', runner), join(modules, runner));
    mkdirSync(join(project.folder, runner), { recursive: true });
    writeFileSync(join(project.folder, runner, 'a.js'), `it('passes', () => {});`);
    const name = `@assay/reporter/${runner}`;
    const config = { reporters: [[name, {}]], testMatch: ['**/jest/*.js'], transform: {}, watchman: false };
    const args = {
      jest: ['jest/bin/jest.js', '--config', JSON.stringify(config)],
      mocha: ['mocha/bin/mocha.js', '--reporter', name, 'mocha'],
    }[runner];
    const env = { ASSAY_URL: service.url, ASSAY_PROJECT: `packed ${runner}` };
    const { code, said, output } = await startIn(project, [join(modules, args[0]!), ...args.slice(1)], env).ended;
    expect({ code, said }, output).toEqual({ code: 0, said: [expect.stringMatching(/^Assay: 1 passed http/)] });
  });

  it('has the command assay', () => {
    const sample = join(import.meta.dirname, '../../import/test/samples/playwright-blob-1.zip');
    const args = [join(installed, 'assay.cjs'), 'upload', '--dry-run', sample];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('7 tests: 3 passed, 3 failed, 1 skipped, 1 flaky')]);
  });

  it('has types', () => {
    const compiler = { module: 'nodenext', target: 'esnext', strict: true, noEmit: true, skipDefaultLibCheck: true };
    const config = JSON.stringify({ compilerOptions: { ...compiler, types: ['node'] }, include: ['*.ts'] });
    writeFileSync(join(project.folder, 'tsconfig.json'), config);
    const options = { cwd: project.folder, encoding: 'utf8' } as const;
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['--singleThreaded'], options);
    expect(stdout).toBe('');
  });
});
