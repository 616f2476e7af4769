import { createHash, randomBytes } from 'node:crypto';
import { type Dirent, readlinkSync, renameSync, rmSync } from 'node:fs';
import { access, readdir, rename, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Delivery } from '../delivery/delivery.ts';

/** What a kept delivery consists of; paths are names of files beside it. */
export interface Entry extends Delivery {
  readonly serverUrl: string;
}

export const ENTRY_FILE = 'delivery.json';
/** Stands beside a delivery that was refused for what it is. */
export const REFUSED_FILE = 'refused.txt';

const STALE_MS = 3_600_000;

/** Numbers of processes are those of a machine, or of a container on it, which may have the name of its machine. */
const processSpace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    return '';
  }
};
const HOST = `${hostname().replaceAll(/[^\w-]/g, '_') || 'host'}-${processSpace()}`;
/** Tells this process from an earlier one with its number. */
const OWN_MARK = randomBytes(4).toString('hex');

type State = 'sending' | 'writing' | 'removing';

/**
 * The name of a folder of the spool tells its state, so that each change of state is one rename and only one process can
 * make it: `name` waits, `name.sending.…` is being sent, `name.writing.…` may not have all its files yet, or not even its
 * entry, and `name.removing.…` is gone but for its remains. Behind that are the host, the process and its mark.
 */
export interface SpoolFolder {
  readonly folder: string;
  readonly name: string;
  readonly state: 'waiting' | State;
  readonly host: string;
  readonly pid: number;
  readonly mark: string;
}

const NAME =
  /^(\d{13}-[0-9a-f]{12}-[0-9a-f]{12})(?:\.(sending|writing|removing)\.([\w-]+)\.(\d+)(?:\.([0-9a-f]{8}))?)?$/;

/** Names sort by time and tell the service that they are for. */
export const newName = (serverUrl: string): string =>
  `${String(Date.now()).padStart(13, '0')}-${markOf(serverUrl)}-${randomBytes(6).toString('hex')}`;

const markOf = (serverUrl: string): string => createHash('sha256').update(serverUrl).digest('hex').slice(0, 12);

export const isFor = (name: string, serverUrl: string): boolean => name.includes(`-${markOf(serverUrl)}-`);

export const stateName = (name: string, state: State, pid = process.pid): string =>
  `${name}.${state}.${HOST}.${pid}.${OWN_MARK}`;

/** All folders, oldest first. */
export const listSpool = async (spoolDir: string): Promise<SpoolFolder[]> => {
  const entries: Dirent[] = await readdir(spoolDir, { withFileTypes: true }).catch(() => []);
  return entries
    .flatMap((entry): SpoolFolder[] => {
      const [, name, state, host = '', pid = '0', mark = ''] = NAME.exec(entry.name) ?? [];
      if (name === undefined || !entry.isDirectory()) return [];
      const known = (state as State | undefined) ?? 'waiting';
      return [{ folder: join(spoolDir, entry.name), name, state: known, host, pid: Number(pid), mark }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Takes a folder for sending; null when another process was faster. */
export const claim = async (spoolDir: string, { folder, name }: SpoolFolder): Promise<string | null> => {
  const claimed = join(spoolDir, stateName(name, 'sending'));
  try {
    await rename(folder, claimed);
    await utimes(claimed, new Date(), new Date()).catch(() => undefined);
    return claimed;
  } catch {
    return null;
  }
};

/** Puts what a process that is no more was sending or writing back, and removes what has no entry or was being removed. */
export const recover = async (spoolDir: string): Promise<void> => {
  for (const entry of await listSpool(spoolDir)) {
    if (entry.state === 'waiting' || !(await isAbandoned(entry))) continue;
    if (entry.state === 'removing' || !(await hasFile(entry.folder, ENTRY_FILE))) removeFolder(entry.folder);
    else await rename(entry.folder, join(spoolDir, entry.name)).catch(() => undefined);
  }
};

export const hasFile = (folder: string, name: string): Promise<boolean> =>
  access(join(folder, name)).then(
    () => true,
    () => false,
  );

/** Of another machine, or by a number that another process has meanwhile, only time can tell. */
const isAbandoned = async ({ folder, host, pid, mark }: SpoolFolder): Promise<boolean> => {
  const isOwnNumber = pid === process.pid;
  if (host === HOST && (isOwnNumber ? mark !== OWN_MARK : !isAlive(pid))) return true;
  const found = await stat(folder).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_MS;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** What is removed halfway must not be taken for a delivery without files. Never throws. */
export const removeFolder = (folder: string): void => {
  const name = NAME.exec(basename(folder))?.[1];
  const doomed = name === undefined ? folder : join(dirname(folder), stateName(name, 'removing'));
  try {
    renameSync(folder, doomed);
    rmSync(doomed, { recursive: true, force: true });
  } catch {
    // The next to look removes what is left.
  }
};
