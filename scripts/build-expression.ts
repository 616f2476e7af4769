import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rolldown } from 'rolldown';
import { completePackage } from './complete-package.ts';

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
  await bundleForScripts(dist);
  cpSync(join(folder, 'schema'), join(dist, 'schema'), { recursive: true });
  writeDocuments(dist);
  writeManifest(dist);
  return join(dist, 'lib/index.js');
};

/** Module by module, so that bundlers leave out those that a program does not use. */
const compile = (dist: string): void => {
  const emit = ['--noEmit', 'false', '--declaration', '--rootDir', join(folder, 'src'), '--outDir', join(dist, 'lib')];
  execFileSync(
    join(root, 'node_modules/.bin/tsc'),
    ['--singleThreaded', '-p', join(folder, 'tsconfig.json'), ...emit],
    {
      stdio: 'inherit',
    },
  );
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const types = readFileSync(join(dist, name), 'utf8');
    writeFileSync(join(dist, name), types.replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
  }
};

/** For programs that call `require`: one file, and the types once more, which TypeScript reads by the kind of their package. */
const bundleForScripts = async (dist: string): Promise<void> => {
  const scripts = join(dist, 'cjs');
  cpSync(join(dist, 'lib'), scripts, {
    recursive: true,
    filter: (name) => !name.endsWith('.js'),
  });
  const bundle = await rolldown({ input: join(dist, 'lib/index.js'), platform: 'neutral' });
  await bundle.write({ file: join(scripts, 'index.js'), format: 'cjs' });
  await bundle.close();
  writeFileSync(join(scripts, 'package.json'), '{ "type": "commonjs" }\n');
};

/** Documents by where they are in the repository and in the package. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'packages/expression/README.md': 'README.md',
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
      // The vectors are a package of their own.
      .replace(/\[((?:[^[\]\\]|\\.)+)\]\([^)]*expression-vectors\/[^)]*\)/g, '$1')
      .replace(/\]\((?!https?:|#)([^)#\s]+)/g, (_, link: string) => `](${linkInPackage(link, from, to)}`);
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
      '.': {
        import: { types: './lib/index.d.ts', default: './lib/index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
      './schema/*': './schema/*',
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
  };
  completePackage(dist, manifest);
};
