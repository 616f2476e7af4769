import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { completePackage } from './complete-package.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/expression-vectors');

/** Builds the conformance vectors as they are published, with their runner for Node 20 and newer; returns its entry. */
export const buildVectors = async (dist = join(folder, 'dist')): Promise<string> => {
  rmSync(dist, { recursive: true, force: true });
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const bundle = await rolldown({
    input: { run: 'run.ts', serve: 'serve.ts' },
    cwd: join(folder, 'src'),
    platform: 'node',
    external: Object.keys(dependencies as object),
    transform: { target: 'node20' },
  });
  await bundle.write({
    dir: join(dist, 'lib'),
    format: 'esm',
    banner: '#!/usr/bin/env node',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await bundle.close();
  cpSync(join(folder, 'vectors'), join(dist, 'vectors'), { recursive: true });
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  writeFileSync(
    join(dist, 'README.md'),
    readme.replace(/\[([^\]]+)\]\(\.\.\/\.\.\/(docs[^)]*)\)/g, '$1 (`$2` of `@assay/expression`)'),
  );
  const manifest = {
    name,
    version,
    description,
    license,
    keywords: ['expression-tree', 'conformance', 'test-vectors'],
    type: 'module',
    bin: { 'expression-vectors': 'lib/run.js' },
    exports: { './*.json': './vectors/*.json', './package.json': './package.json' },
    dependencies,
    engines: { node: '>=20' },
  };
  completePackage(dist, manifest);
  return join(dist, 'lib/run.js');
};
