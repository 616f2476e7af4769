import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@assay/contract';
import { expect, it } from 'vitest';
import { buildServer } from '../../../../scripts/build-server.ts';
import { REPORTER_PACKAGE } from '../../../../scripts/pack-reporter.ts';
import { NO_REGISTRY, publishDryRun } from '../../../../scripts/publish-dry-run.ts';
import { submission } from '../conformance/build.ts';
import { newFolder } from '../robustness/service-process.ts';

const TSC = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');
const EMBEDDING = `
import { type Config, manageHeap, readConfig, startService } from '@assay/server';
const config: Config = readConfig({});
const told: [number, string | undefined] = [config.archiveLimits.maxEntries, config.s3?.bucket];
manageHeap();
const stop: Promise<void> = startService(config).then((service) => service.stop());
export { stop, told };
`;

it('the package may be published, starts where it alone is installed, and offers the reporter', async () => {
  using folder = newFolder();
  const dist = join(folder.path, 'dist');
  await buildServer(dist);
  const { files, corrections } = await publishDryRun(dist);
  expect(corrections).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['main.js', 'web/index.html', 'CHANGELOG.md', 'LICENSE']));
  const manifest = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as { version: string };
  expect(manifest).toMatchObject({ publishConfig: { access: 'public', provenance: true } });
  expect(manifest).not.toHaveProperty('private');
  const changelog = readFileSync(join(dist, 'CHANGELOG.md'), 'utf8');
  expect(/^## (.*)$/m.exec(changelog)![1]).toBe(manifest.version);

  writeFileSync(join(folder.path, 'package.json'), '{}');
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH, npm_config_registry: NO_REGISTRY };
  const run = (command: string, args: readonly string[], cwd = folder.path) =>
    promisify(execFile)(command, args, { cwd, env });
  // By which npm packs what it installs.
  await run('npm', ['install', '--install-links', '--no-audit', dist]);
  const command = join(folder.path, 'node_modules/.bin/assay-server');
  expect((await run(command, ['users', '--help'])).stdout).toContain('assay-server users');

  // The types are there, with all that they name.
  writeFileSync(join(folder.path, 'embedding.mts'), EMBEDDING);
  await run(TSC, ['--singleThreaded', '--strict', '--noEmit', '--module', 'nodenext', 'embedding.mts']);

  const service = spawn(command, {
    cwd: folder.path,
    env: { PATH, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
    const url = await new Promise<string>((resolve) => {
      let said = '';
      service.stdout.setEncoding('utf8').on('data', (text: string) => {
        const [, found] = /is listening at (http:[^;]+);/.exec((said += text)) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    await createClient({ baseUrl: url }).submitRun({ body: submission({ projectName: 'packed' }) });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('<title>');
    expect(readdirSync(join(folder.path, '.data'))).toContain('assay.db');

    // The reporter is installed from here without any other network, with its command.
    const project = join(folder.path, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{}');
    await run('npm', ['install', '--save-dev', '--no-audit', `${url}/${REPORTER_PACKAGE}`], project);
    const installed = join(project, 'node_modules/@assay/reporter/package.json');
    const reporter = JSON.parse(readFileSync(installed, 'utf8')) as { version: string };
    const { stdout } = await run(join(project, 'node_modules/.bin/assay'), ['--version'], project);
    expect(stdout.trim()).toBe(reporter.version);

    service.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    service.kill('SIGKILL');
  }
});
