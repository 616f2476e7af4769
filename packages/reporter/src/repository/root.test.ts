import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rootOf } from './root.ts';

it('files are relative to what is set, to the repository, or to the folder with a word about it', () => {
  const top = mkdtempSync(join(tmpdir(), 'assay-root-'));
  const folder = join(top, 'shop/tests');
  mkdirSync(folder, { recursive: true });
  const said: string[] = [];
  const output = { say: (line: string) => void said.push(line), progress: () => undefined };
  expect(rootOf(folder, { rootDir: top }, output)).toBe(top);
  expect(said).toEqual([]);
  expect(rootOf(folder, { rootDir: null }, output)).toBe(folder);
  expect(said).toEqual([expect.stringContaining('set rootDir or ASSAY_ROOT')]);
  mkdirSync(join(top, 'shop/.git'));
  expect(rootOf(folder, { rootDir: null }, output)).toBe(join(top, 'shop'));
  expect(said).toHaveLength(1);
  rmSync(top, { recursive: true });
});
