import { createHash, randomBytes } from 'node:crypto';
import { type Dirent, rmSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Submission } from '@assay/contract';
import type { ReportToSend, TraceToSend } from '../delivery/delivery.ts';

/** What a kept delivery consists of; paths are names of files beside it. */
export interface Entry {
  readonly serverUrl: string;
  readonly idempotencyKey: string;
  readonly submission: Submission;
  readonly reports: readonly ReportToSend[];
  readonly traces: readonly TraceToSend[];
}

export const ENTRY_FILE = 'delivery.json';
/** Stands beside a delivery that was refused for what it is. */
export const REFUSED_FILE = 'refused.txt';

const STALE_MS = 3_600_000;
const HOST = hostname().replaceAll(/[^\w-]/g, '_') || 'host';

/**
 * A folder of the spool is in one of three states, which its name tells, so that each change of state is one rename and
 * only one process can make it: `name` waits, `name.sending.host.pid` is being sent, `name.writing.host.pid` is not yet
 * complete.
 */
export interface SpoolFolder {
  readonly folder: string;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'writing';
  readonly host: string;
  readonly pid: number;
}

const NAME = /^(\d{13}-[0-9a-f]{12}-[0-9a-f]{12})(?:\.(sending|writing)\.([\w-]+)\.(\d+))?$/;

/** Names sort by time and tell the service that they are for. */
export const newName = (serverUrl: string): string =>
  `${String(Date.now()).padStart(13, '0')}-${markOf(serverUrl)}-${randomBytes(6).toString('hex')}`;

const markOf = (serverUrl: string): string => createHash('sha256').update(serverUrl).digest('hex').slice(0, 12);

export const isFor = (name: string, serverUrl: string): boolean => name.includes(`-${markOf(serverUrl)}-`);

export const stateName = (name: string, state: 'sending' | 'writing'): string =>
  `${name}.${state}.${HOST}.${process.pid}`;

/** All folders, oldest first. */
export const listSpool = async (spoolDir: string): Promise<SpoolFolder[]> => {
  const entries: Dirent[] = await readdir(spoolDir, { withFileTypes: true }).catch(() => []);
  return entries
    .flatMap((entry): SpoolFolder[] => {
      const [, name, state, host = '', pid = '0'] = NAME.exec(entry.name) ?? [];
      if (name === undefined || !entry.isDirectory()) return [];
      const known = state === 'sending' || state === 'writing' ? state : 'waiting';
      return [{ folder: join(spoolDir, entry.name), name, state: known, host, pid: Number(pid) }];
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

/** Puts what a process that is no more was sending back, and removes what it did not finish to write. */
export const recover = async (spoolDir: string): Promise<void> => {
  for (const entry of await listSpool(spoolDir)) {
    if (entry.state === 'waiting' || !(await isAbandoned(entry))) continue;
    if (entry.state === 'writing') await rm(entry.folder, { recursive: true, force: true }).catch(() => undefined);
    else await rename(entry.folder, join(spoolDir, entry.name)).catch(() => undefined);
  }
};

/** Of another machine, or by a number that another process has meanwhile, only time can tell. */
const isAbandoned = async ({ folder, host, pid }: SpoolFolder): Promise<boolean> => {
  if (host === HOST && !isAlive(pid)) return true;
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

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
