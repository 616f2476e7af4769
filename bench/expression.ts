import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { measureExpressionSize } from './expression-size.ts';
import { printTable } from './figures.ts';
import { checkOut } from './previous-commit.ts';

/** Each in a process of its own, so that none warms up or spoils what another measures. */
const runAlone = (file: string, ...args: string[]): void => {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${file} failed`);
};

const LIMIT_BYTES = 30 * 1024;

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

export const benchExpression = async (root: string, workDir: string, reference: string): Promise<void> => {
  runAlone('expression-evaluate.ts');
  runAlone('expression-read.ts');
  runAlone('expression-text.ts');
  const { gzipped: bytes } = await measureExpressionSize();
  printTable('Size of the expression library, gzip', [
    {
      what: 'parseText, check, compile and complete together',
      measured: kilobytes(bytes),
      limit: kilobytes(LIMIT_BYTES),
      ok: bytes <= LIMIT_BYTES,
    },
  ]);
  const previous = reference === 'none' ? null : checkOut(root, reference, workDir);
  if (previous === null) return;
  try {
    const library = join(previous.folder, 'packages/expression/src/index.ts');
    if (existsSync(library)) runAlone('expression-base.ts', library, previous.name);
  } finally {
    previous.remove();
  }
};
