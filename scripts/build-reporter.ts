import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { rolldown } from 'rolldown';
import { completePackage } from './complete-package.ts';
import { licencesOf } from './licences.ts';
import { guardedCommand, guardedReporter } from './old-node.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/reporter');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Those whose tests are reported bring them along. */
export const PEERS = { '@playwright/test': '>=1.42', cypress: '>=10', jest: '>=28', mocha: '>=8', vitest: '>=3' };
const OLDEST_NODE = '20.3';
const EXTERNAL = /^(?:@playwright\/test|vitest)(?:\/|$)/;
/** A project that is no module loads these; a reporter is always imported, so that only its types must be told twice. */
const FOR_SCRIPTS = ['index', 'fixtures', 'cypress'];
/** These are loaded as scripts, by every version of their runners. */
const SCRIPTS = ['jest', 'mocha'];
/** Those that an old Node may load: it is told so in a line. */
const GUARDED_MODULES = ['index', 'vitest', 'cypress'];
const GUARDED_SCRIPTS = [...SCRIPTS, 'cypress'];
const DECLARATION = { js: '.d.ts', cjs: '.d.cts' };

/**
 * Builds the package that is published, with types, into a folder; returns the reporter for Playwright. To check the sources
 * too, which have fewer libraries here than in the repository, takes most of the time.
 */
export const buildReporter = async (dist = join(folder, 'dist'), check = true): Promise<string> => {
  const manifest = await bundleReporter(dist);
  const entries = entriesOf(manifest);
  writeTypes(entries, dist, check);
  writeManifest(manifest, Object.keys(entries), Object.keys(manifest.bin ?? {}), dist);
  copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'));
  cpSync(join(folder, 'docs'), join(dist, 'docs'), { recursive: true });
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(bundled()));
  return join(dist, 'index.js');
};

/** The programs of that package alone. */
export const bundleReporter = async (dist: string): Promise<Manifest> => {
  const manifest = readManifest('reporter');
  const entries = entriesOf(manifest);
  const commands = manifest.bin ?? {};
  rmSync(dist, { recursive: true, force: true });
  const asMain = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [`${name}-main`, entries[name]!]));
  await bundle({ fixtures: entries['fixtures']!, ...asMain(GUARDED_MODULES), ...commands }, dist, 'esm');
  // Playwright turns the imports of a project that is no module into calls of `require`.
  await bundle({ fixtures: entries['fixtures']!, ...asMain(GUARDED_SCRIPTS) }, dist, 'cjs');
  writeGuards(Object.keys(commands), dist);
  return manifest;
};

const entriesOf = ({ exports }: Manifest): Record<string, string> =>
  Object.fromEntries(Object.entries(exports).map(([name, path]) => [name === '.' ? 'index' : name.slice(2), path]));

const readManifest = (name: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

/** Packages whose code is part of the bundle: its own and those of the importers. */
const bundled = (): string[] => ['reporter', 'import'].flatMap((name) => Object.keys(readManifest(name).dependencies));

const bundle = async (input: Record<string, string>, dir: string, format: 'esm' | 'cjs'): Promise<void> => {
  const result = await rolldown({
    input,
    cwd: folder,
    platform: 'node',
    external: EXTERNAL,
    transform: { target: 'node20' },
  });
  const extension = format === 'esm' ? 'js' : 'cjs';
  await result.write({
    dir,
    format,
    exports: 'named',
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
  });
  await result.close();
};

const writeGuards = (commands: readonly string[], dist: string): void => {
  const guarded = (file: string) => ({ needs: OLDEST_NODE, file });
  const write = (name: string, text: string): void => writeFileSync(join(dist, name), text, { mode: 0o755 });
  for (const name of commands) write(`${name}.cjs`, guardedCommand(name, guarded(`./${name}.js`)));
  for (const name of GUARDED_MODULES) write(`${name}.js`, guardedReporter('esm', guarded(`./${name}-main.js`)));
  for (const name of GUARDED_SCRIPTS) write(`${name}.cjs`, guardedReporter('cjs', guarded(`./${name}-main.cjs`)));
};

/** The types that the entries name, and those that these name; nobody who installs this has the contract. */
const writeTypes = (entries: Readonly<Record<string, string>>, dist: string, check: boolean): void => {
  const all = mkdtempSync(join(tmpdir(), 'assay-types-'));
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', root, '--outDir', all];
  if (!check) emit.push('--noCheck');
  execFileSync(
    join(root, 'node_modules/.bin/tsc'),
    ['--singleThreaded', '-p', join(folder, 'tsconfig.json'), ...emit],
    {
      stdio: 'inherit',
    },
  );
  const write = (path: string, extension: 'js' | 'cjs', written: Set<string>): void => {
    if (written.has(path)) return;
    written.add(path);
    const types = readFileSync(join(all, 'packages/reporter', path.replace(/\.ts$/, '.d.ts')), 'utf8');
    if (/['"]@assay\//.test(types)) throw new Error(`The types of ${path} need a package that is not published`);
    const place = join(dist, 'types', path.replace(/^src\//, '').replace(/\.ts$/, DECLARATION[extension]));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, types.replaceAll(/(['"]\.[^'"]*)\.ts(['"])/g, `$1.${extension}$2`));
    for (const [, other] of types.matchAll(/['"](\.[^'"]*\.ts)['"]/g)) {
      write(posix.join(posix.dirname(path), other!), extension, written);
    }
  };
  const asModules = new Set<string>();
  for (const path of Object.values(entries)) write(posix.normalize(path), 'js', asModules);
  const asScripts = new Set<string>();
  for (const name of [...FOR_SCRIPTS, ...SCRIPTS]) write(posix.normalize(entries[name]!), 'cjs', asScripts);
  rmSync(all, { recursive: true });
};

const writeManifest = (
  { name, version, description, license, exports }: Manifest,
  entries: readonly string[],
  commands: readonly string[],
  dist: string,
): void => {
  const typesOf = (entry: string, extension: 'js' | 'cjs'): string => {
    const path = exports[entry === 'index' ? '.' : `./${entry}`]!;
    return `./types/${posix.relative('src', posix.normalize(path)).replace(/\.ts$/, DECLARATION[extension])}`;
  };
  const conditions = (entry: string): object => {
    if (SCRIPTS.includes(entry)) return { types: typesOf(entry, 'cjs'), default: `./${entry}.cjs` };
    const asModule = { types: typesOf(entry, 'js'), default: `./${entry}.js` };
    if (!FOR_SCRIPTS.includes(entry)) return asModule;
    const file = entry === 'index' ? './index.js' : `./${entry}.cjs`;
    return { import: asModule, require: { types: typesOf(entry, 'cjs'), default: file } };
  };
  const manifest = {
    name,
    version,
    description,
    license,
    keywords: [
      'playwright',
      'vitest',
      'jest',
      'mocha',
      'cypress',
      'reporter',
      'test-results',
      'junit',
      'ctrf',
      'flaky-tests',
    ],
    type: 'module',
    bin: Object.fromEntries(commands.map((command) => [command, `${command}.cjs`])),
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, conditions(entry)])),
      './package.json': './package.json',
    },
    engines: { node: `>=${OLDEST_NODE}` },
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((peer) => [peer, { optional: true }])),
  };
  completePackage(dist, manifest);
};
