import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { SubmittedCase } from '@assay/contract';
import type { Imported } from '../src/imported.ts';
import { type Format, recognise } from '../src/recognise.ts';
import { openSource } from '../src/source.ts';

export const SAMPLES = join(import.meta.dirname, 'samples');
/** Where the samples were made. */
export const ROOT = '/home/ci/shop';

/** Every sample, by its path among them. */
export const listSamples = (): string[] =>
  readdirSync(SAMPLES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map((entry) => relative(SAMPLES, join(entry.parentPath, entry.name)));

export interface ReadReport extends Imported {
  readonly format: Format;
}

export const readSample = (name: string): Promise<ReadReport> => readReport(join(SAMPLES, name));

const readReport = async (path: string): Promise<ReadReport> => {
  const recognised = await recognise(openSource(path));
  if (!recognised.ok) throw new Error(recognised.seen);
  return { format: recognised.format, ...(await recognised.read({ root: ROOT })) };
};

/** A file with this content for as long as `use` takes. */
export const withFile = async <T>(content: string | Uint8Array, use: (path: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-import-'));
  try {
    const path = join(folder, 'report');
    writeFileSync(path, content);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const readText = (content: string | Uint8Array): Promise<ReadReport> => withFile(content, readReport);

/** `status retries location | title [browser]` */
export const linesOf = ({ cases }: Imported): string[] =>
  cases.map(({ status, retries, location, title, browser }) => {
    const where = typeof browser === 'string' ? ` [${browser}]` : '';
    return `${status} ${retries} ${location ?? '-'} | ${title}${where}`;
  });

export const caseOf = ({ cases }: Imported, title: string): SubmittedCase => {
  const found = cases.find((testCase) => testCase.title === title);
  if (!found) throw new Error(`no case "${title}" among ${cases.map((one) => one.title).join(', ')}`);
  return found;
};
