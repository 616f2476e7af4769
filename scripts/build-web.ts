import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'packages/web');
const SOURCES = [
  'packages/web/src',
  'packages/web/build',
  'packages/web/public',
  'packages/contract/src',
  'packages/expression/src',
];
const SINGLE_SOURCES = ['packages/web/index.html', 'packages/web/vite.config.ts', 'package-lock.json'];
const REPORTER_SOURCES = ['packages/reporter/src', 'packages/import/src', 'packages/contract/src'];
const PACKED = join(folder, 'dist/assay-reporter.tgz');

/** The interface as browsers get it, made again only when a source is newer than it. */
export const buildWebIfStale = async (): Promise<void> => {
  if (newestOf(SOURCES, SINGLE_SOURCES) > builtAt()) await buildWeb();
};

/** The reporter as the service offers it for installation, beside the interface; packed again only when it has changed. */
export const packReporterIfStale = async (): Promise<void> => {
  if (newestOf(REPORTER_SOURCES, []) < (modifiedAt(PACKED) ?? -1)) return;
  await promisify(execFile)(process.execPath, [join(root, 'scripts/pack-reporter.ts'), PACKED]);
};

/** In a process of its own: what Vite takes would stay with the service that `npm start` goes on to be. */
const buildWeb = async (): Promise<void> => {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { stderr } = await promisify(execFile)(process.execPath, [vite, 'build', folder, '--logLevel', 'warn']);
  if (stderr !== '') process.stderr.write(stderr);
};

const builtAt = (): number => modifiedAt(join(folder, 'dist/index.html')) ?? -1;

const newestOf = (folders: readonly string[], single: readonly string[]): number => {
  const files = folders.flatMap((source) =>
    readdirSync(join(root, source), { recursive: true, encoding: 'utf8' }).map((file) => join(source, file)),
  );
  return Math.max(...[...files, ...single].map((file) => modifiedAt(join(root, file)) ?? 0));
};

const modifiedAt = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
