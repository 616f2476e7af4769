import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { completePackage } from './complete-package.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/expression-plugin');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Builds the plugin as it is published, for modules and for scripts, with types, into a folder; returns its entry. */
export const buildPlugin = async (dist = join(folder, 'dist')): Promise<string> => {
  const { name, version, description, license, dependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const bundle = await rolldown({
    input: join(folder, 'src/index.ts'),
    platform: 'node',
    external: Object.keys(dependencies),
    transform: { target: 'node20' },
  });
  await bundle.write({ file: join(dist, 'lib/index.js'), format: 'esm' });
  await bundle.write({ file: join(dist, 'cjs/index.js'), format: 'cjs' });
  await bundle.close();
  writeTypes(dist);
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  writeFileSync(join(dist, 'README.md'), readme.replace(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '$1'));
  const manifest = {
    name,
    version,
    description,
    license,
    keywords: ['expression', 'expression-tree', 'unplugin', 'vite-plugin', 'rollup-plugin', 'webpack-plugin'],
    type: 'module',
    sideEffects: false,
    exports: {
      '.': {
        import: { types: './lib/index.d.ts', default: './lib/index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
      './package.json': './package.json',
    },
    dependencies,
    engines: { node: '>=20.19' },
  };
  completePackage(dist, manifest);
  return join(dist, 'lib/index.js');
};

const writeTypes = (dist: string): void => {
  const lib = join(dist, 'lib');
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly'];
  const places = ['--rootDir', join(folder, 'src'), '--outDir', lib];
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(folder, 'tsconfig.json'), ...emit, ...places], {
    stdio: 'inherit',
  });
  for (const name of readdirSync(lib).filter((file) => file.endsWith('.d.ts'))) {
    const types = readFileSync(join(lib, name), 'utf8');
    writeFileSync(join(lib, name), types.replace(/(from ['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
    cpSync(join(lib, name), join(dist, 'cjs', name));
  }
};
