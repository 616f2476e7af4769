import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Several times what a run stores at once. */
const ROOM_BYTES = 3 * 1024 ** 3;
const NAME = 'assay-test-run-';
const LEFT_BEHIND_MS = 60 * 60 * 1000;

export interface TestFolder extends Disposable {
  readonly path: string;
}

/**
 * For all that a run of the tests stores, which is deleted soon: below `TMPDIR`, or in memory, where there is enough of it,
 * since thousands of small databases cost more on a disk.
 */
export const openTestFolder = (): TestFolder => {
  removeLeftBehind();
  const path = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), NAME));
  // PostgreSQL runs as another user where the tests run as root, and has a folder of its own below this one.
  chmodSync(path, 0o711);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

const hasRoom = (): boolean => {
  if (process.env['TMPDIR'] || process.platform !== 'linux' || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES;
};

/** A run that was killed would keep its memory; one that goes on makes folders all the time. */
const removeLeftBehind = (): void => {
  if (!existsSync(MEMORY)) return;
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(NAME)) continue;
    const path = join(MEMORY, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.uid !== process.getuid?.() || Date.now() - found!.mtimeMs < LEFT_BEHIND_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
};
