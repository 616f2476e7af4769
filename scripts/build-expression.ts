import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/expression');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** Builds the expression library as it is published, with types, into a folder; returns its entry. */
export const buildExpression = async (dist = join(folder, 'dist')): Promise<string> => {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  compile(dist);
  await bundleRunner(join(dist, 'conformance'));
  for (const name of readdirSync(join(folder, 'conformance'))) {
    if (!name.endsWith('.ts')) copyFileSync(join(folder, 'conformance', name), join(dist, 'conformance', name));
  }
  cpSync(join(folder, 'schema'), join(dist, 'schema'), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  writeDocuments(dist);
  writeManifest(dist);
  return join(dist, 'lib/index.js');
};

/** Module by module, so that bundlers leave out those that a program does not use. */
const compile = (dist: string): void => {
  const emit = ['--noEmit', 'false', '--declaration', '--rootDir', join(folder, 'src'), '--outDir', join(dist, 'lib')];
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json'), ...emit], {
    stdio: 'inherit',
  });
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const types = readFileSync(join(dist, name), 'utf8');
    writeFileSync(join(dist, name), types.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
};

/** Node runs no TypeScript from `node_modules`, so the runner of the vectors and our answers to it are bundled. */
const bundleRunner = async (dir: string): Promise<void> => {
  const bundle = await rolldown({
    input: { run: 'run.ts', serve: 'serve.ts' },
    cwd: join(folder, 'conformance'),
    platform: 'node',
    external: ['@assay/expression'],
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
  await bundle.close();
};

/** Documents by where they are in the repository and in the package. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'packages/expression/README.md': 'README.md',
  'packages/expression/conformance/README.md': 'conformance/README.md',
  'packages/expression/docs/api.md': 'docs/api.md',
  'docs/expression.md': 'docs/expression.md',
  'docs/expression-text.md': 'docs/expression-text.md',
  'docs/expression-sql.md': 'docs/expression-sql.md',
};

/** The documents with links and commands that hold inside of the package. */
const writeDocuments = (dist: string): void => {
  mkdirSync(join(dist, 'docs'), { recursive: true });
  for (const [from, to] of Object.entries(DOCUMENTS)) {
    const text = readFileSync(join(root, from), 'utf8')
      .replace(/\]\((?!https?:|#)([^)#\s]+)/g, (_, link: string) => `](${linkInPackage(link, from, to)}`)
      .replace(/node packages\/expression\/(conformance\/\w+)\.ts/g, 'node node_modules/@assay/expression/$1.js');
    writeFileSync(join(dist, to), text);
  }
};

const linkInPackage = (link: string, from: string, to: string): string => {
  const target = posix.join(posix.dirname(from), link);
  const place = DOCUMENTS[target] ?? posix.relative('packages/expression', target);
  if (place.startsWith('..')) throw new Error(`${from} links to ${link}, which is no part of the package`);
  return posix.relative(posix.dirname(to), place);
};

const writeManifest = (dist: string): void => {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const manifest = {
    name,
    version,
    description,
    license,
    keywords: ['expression', 'expression-tree', 'predicate', 'filter', 'sandbox', 'sql', 'json'],
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './schema/*': './schema/*',
      './conformance/*': './conformance/*',
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
  };
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
};
