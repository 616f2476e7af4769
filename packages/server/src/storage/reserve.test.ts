import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openReserve } from './reserve.ts';

const MIB = 1024 * 1024;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'assay-reserve-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('takes as much space as it may, once', async () => {
  const reserve = openReserve(folder, MIB + 1);
  await reserve.refill();
  const { size, mtimeMs } = statSync(join(folder, 'reserve'));
  expect(size).toBe(MIB + 1);
  await reserve.refill();
  expect(statSync(join(folder, 'reserve')).mtimeMs).toBe(mtimeMs);
});

it('writes nothing any more once it is closed, and leaves no half of a reserve', async () => {
  const reserve = openReserve(folder, 256 * MIB);
  const refilled = reserve.refill();
  while (!existsSync(join(folder, 'reserve'))) await new Promise(setImmediate);
  await reserve.close();
  expect(readdirSync(folder)).toEqual([]);
  await Promise.all([refilled, reserve.refill()]);
  expect(readdirSync(folder)).toEqual([]);
});
