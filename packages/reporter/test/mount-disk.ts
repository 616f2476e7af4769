import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Disk {
  readonly path: string;
  [Symbol.dispose](): void;
}

/** A disk in memory that is soon full. */
export const mountDisk = (path: string, sizeBytes: number): Disk => {
  mkdirSync(path, { recursive: true });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', path]);
  if (status !== 0) throw new Error(`No disk could be mounted at ${path}`);
  return { path, [Symbol.dispose]: () => void spawnSync('umount', [path]) };
};

export const canMount = (): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const path = mkdtempSync(join(tmpdir(), 'assay-mount-'));
  try {
    mountDisk(path, 65_536)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
};
