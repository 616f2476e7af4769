import { constants, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Delivery } from '../delivery/delivery.ts';
import { sizeOf } from '../delivery/form.ts';
import { zipFolder } from '../delivery/zip-folder.ts';
import type { Options } from '../options/options.ts';
import { ENTRY_FILE, type Entry, REFUSED_FILE, listSpool, newName, recover, removeFolder, stateName } from './entry.ts';

export type Kept =
  | {
      readonly ok: true;
      readonly folder: string;
      /** What it was kept without, and why. */
      readonly missing: string | null;
      /** How many that waited longer went to make room. */
      readonly gone: number;
    }
  | { readonly ok: false; readonly why: string };

/** Puts a delivery with copies of its files into the spool; without them where they do not fit. Never rejects. */
export const keep = async (delivery: Delivery, options: Options, refused: boolean): Promise<Kept> => {
  const { spoolDir, spoolMaxBytes } = options;
  const bare: Delivery = { ...delivery, reports: [], traces: [] };
  try {
    await mkdir(spoolDir, { recursive: true, mode: 0o700 });
    await recover(spoolDir);
    const resultBytes = Buffer.byteLength(JSON.stringify(delivery.submission));
    if (resultBytes > spoolMaxBytes) return { ok: false, why: tooLarge(spoolDir, spoolMaxBytes) };
    const fileBytes = await bytesOfFiles(delivery);
    if (resultBytes + fileBytes > spoolMaxBytes) {
      const gone = await makeRoom(spoolDir, spoolMaxBytes - resultBytes);
      const folder = await write(bare, options, refused);
      const missing = `without reports and traces, for ${tooLarge(spoolDir, spoolMaxBytes)}`;
      return { ok: true, folder, missing, gone };
    }
    const gone = await makeRoom(spoolDir, spoolMaxBytes - resultBytes - fileBytes);
    return { ok: true, gone, ...(await writeOrLess(delivery, bare, options, refused)) };
  } catch (error) {
    return { ok: false, why: whyNotKept(error as NodeJS.ErrnoException, spoolDir) };
  }
};

/** A disk that has no room for the files may have room for the results. */
const writeOrLess = async (
  delivery: Delivery,
  bare: Delivery,
  options: Options,
  refused: boolean,
): Promise<{ folder: string; missing: string | null }> => {
  try {
    return { folder: await write(delivery, options, refused), missing: null };
  } catch (error) {
    if (delivery.reports.length + delivery.traces.length === 0) throw error;
    const why = whyNotKept(error as NodeJS.ErrnoException, options.spoolDir);
    return { folder: await write(bare, options, refused), missing: `without reports and traces: ${why}` };
  }
};

const write = async (
  { submission, idempotencyKey, reports, traces }: Delivery,
  { spoolDir, serverUrl }: Options,
  refused: boolean,
): Promise<string> => {
  const name = newName(serverUrl);
  const folder = join(spoolDir, stateName(name, 'writing'));
  try {
    await mkdir(folder, { mode: 0o700 });
    const entry: Entry = {
      serverUrl,
      idempotencyKey,
      submission,
      reports: await copies(folder, reports, 'report'),
      traces: await copies(folder, traces, 'trace'),
    };
    if (refused)
      await writeFile(join(folder, REFUSED_FILE), 'Refused by the service; only `assay flush` tries again.\n');
    await writeDurably(join(folder, ENTRY_FILE), JSON.stringify(entry));
    await rename(folder, join(spoolDir, name));
    return join(spoolDir, name);
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
};

/** A folder is kept as the zip that is sent. What is gone is left out. */
const copies = async <T extends { readonly path: string }>(
  folder: string,
  items: readonly T[],
  kind: string,
): Promise<T[]> => {
  const kept: T[] = [];
  for (const [at, item] of items.entries()) {
    const found = await stat(item.path).catch(() => null);
    if (found === null) continue;
    const name = `${kind}-${at}${found.isDirectory() ? '.zip' : ''}`;
    const copy = join(folder, name);
    if (found.isDirectory()) await pipeline(await zipFolder(item.path), createWriteStream(copy));
    else await copyFile(item.path, copy, constants.COPYFILE_FICLONE);
    kept.push({ ...item, path: name });
  }
  return kept;
};

const writeDurably = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** The oldest go, so that a service that is away for long never fills the disk. */
const makeRoom = async (spoolDir: string, allowedBytes: number): Promise<number> => {
  const folders = (await listSpool(spoolDir)).filter(({ state }) => state === 'waiting');
  const sizes = await Promise.all(folders.map(({ folder }) => sizeOf(folder)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let gone = 0;
  for (; gone < folders.length && total > allowedBytes; gone++) {
    removeFolder(folders[gone]!.folder);
    total -= sizes[gone]!;
  }
  return gone;
};

const bytesOfFiles = async ({ reports, traces }: Delivery): Promise<number> => {
  const sizes = await Promise.all([...reports, ...traces].map(({ path }) => sizeOf(path)));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const tooLarge = (spoolDir: string, bytes: number): string =>
  `${spoolDir} may have ${Math.round(bytes / 1024 / 1024)} MB (see spoolMaxMb)`;

const whyNotKept = ({ code, message }: NodeJS.ErrnoException, spoolDir: string): string => {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk of ${spoolDir} is full`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${spoolDir} may not be written to`;
  return `${spoolDir} cannot be used: ${message}`;
};
