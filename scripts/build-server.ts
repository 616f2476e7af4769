import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildWebIfStale } from './build-web.ts';
import { bundleServer } from './bundle-server.ts';
import { completePackage } from './complete-package.ts';
import { licencesOf } from './licences.ts';
import { guardedCommand } from './old-node.ts';
import { REPORTER_PACKAGE, packReporter } from './pack-reporter.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/server');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Record<string, string>;
}

/** Its trace viewer is copied, with its own licences. */
const COPIED = 'playwright-core';

/** Builds the package that is published, with types, into a folder; returns the file that starts the service. */
export const buildServer = async (dist = join(folder, 'dist')): Promise<string> => {
  rmSync(dist, { recursive: true, force: true });
  await bundleServer(dist);
  const guard = guardedCommand('assay-server', { needs: '24', file: './main.js' });
  writeFileSync(join(dist, 'assay-server.cjs'), guard, { mode: 0o755 });
  writeTypes(dist);
  writeManifest(dist);
  copyTraceViewer(dist);
  await copyInterface(dist);
  copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'));
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundled()));
  return join(dist, 'main.js');
};

/** Packages whose code is part of the bundle or of the web interface. */
const bundled = (): string[] => {
  const own = ['server', 'import'].flatMap((name) =>
    Object.keys(readManifest(join(root, 'packages', name)).dependencies),
  );
  const ofInterface = Object.keys(readManifest(join(root, 'packages/web')).dependencies);
  return [...own.filter((name) => name !== COPIED), ...ofInterface];
};

const readManifest = (path: string): Manifest =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;

/** The files whose types the public entry names, and those that these name. */
const PUBLIC_TYPES = [
  'index',
  'archives/limits',
  'blobs/s3-location',
  'config',
  'garbage',
  'operator-error',
  'start',
  'writer/thread',
];
const RELATIVE_IMPORT = /(?<=from ')(\.[^']+)\.ts(?=')/g;

/** Of each file by itself, whose exports say their types: to read all that they import takes much longer. */
const writeTypes = (dist: string): void => {
  const types = join(dist, 'types');
  const alone = ['--ignoreConfig', '--noResolve', '--noCheck', '--isolatedDeclarations', '--types', ''];
  const language = ['--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const emit = ['--declaration', '--emitDeclarationOnly', '--rootDir', '.', '--outDir', types];
  const files = PUBLIC_TYPES.map((name) => `${name}.ts`);
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['--singleThreaded', ...alone, ...language, ...emit, ...files], {
    cwd: join(folder, 'src'),
    stdio: 'inherit',
  });
  for (const name of PUBLIC_TYPES) {
    const file = join(types, `${name}.d.ts`);
    const written = readFileSync(file, 'utf8');
    for (const [, imported] of written.matchAll(RELATIVE_IMPORT)) {
      if (!existsSync(join(dirname(file), `${imported}.d.ts`)))
        throw new Error(`${file} needs the types of ${imported}`);
    }
    writeFileSync(file, written.replaceAll(RELATIVE_IMPORT, '$1.js'));
  }
};

const writeManifest = (dist: string): void => {
  const { name, version, description, license } = readManifest(folder);
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { 'assay-server': 'assay-server.cjs' },
    exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
    engines: { node: '>=24' },
  };
  completePackage(dist, manifest);
};

/** Playwright's trace viewer is served from here, so that the package needs nothing of Playwright's at run time. */
const copyTraceViewer = (dist: string): void => {
  const playwright = join(root, 'node_modules', COPIED);
  const viewer = join(playwright, 'lib/vite/traceViewer');
  for (const name of ['index.html', 'snapshot.html', 'sw.bundle.js']) {
    if (!existsSync(join(viewer, name)))
      throw new Error(`playwright-core has moved its trace viewer: no ${name} in ${viewer}`);
  }
  cpSync(viewer, join(dist, 'trace-viewer'), { recursive: true });
  for (const name of ['LICENSE', 'NOTICE', 'ThirdPartyNotices.txt']) {
    copyFileSync(join(playwright, name), join(dist, 'trace-viewer', name));
  }
};

/** The service finds its web interface beside its bundle. */
const copyInterface = async (dist: string): Promise<void> => {
  await buildWebIfStale();
  cpSync(join(root, 'packages/web/dist'), join(dist, 'web'), { recursive: true });
  await packReporter(join(dist, 'web', REPORTER_PACKAGE));
};
