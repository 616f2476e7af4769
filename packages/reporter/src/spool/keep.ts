import { constants, createWriteStream, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
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
  try {
    await mkdir(spoolDir, { recursive: true, mode: 0o700 });
    await recover(spoolDir);
    const resultBytes = Buffer.byteLength(JSON.stringify(delivery.submission));
    if (resultBytes > spoolMaxBytes) return { ok: false, why: tooLarge(spoolDir, spoolMaxBytes) };
    const isTooLarge = resultBytes + (await bytesOfFiles(delivery)) > spoolMaxBytes;
    const { name, why } = await write(
      isTooLarge ? { ...delivery, reports: [], traces: [] } : delivery,
      options,
      refused,
    );
    const missing = isTooLarge ? `, for ${tooLarge(spoolDir, spoolMaxBytes)}` : why && `: ${why}`;
    return {
      ok: true,
      folder: join(spoolDir, name),
      missing: missing && `without reports and traces${missing}`,
      gone: await makeRoom(spoolDir, spoolMaxBytes, name),
    };
  } catch (error) {
    return { ok: false, why: whyNotKept(error as NodeJS.ErrnoException, spoolDir) };
  }
};

/** The same for a process that ends: the results at once, without files. Never throws. */
export const keepNow = ({ reports, traces, ...delivery }: Delivery, options: Options): Kept => {
  const { spoolDir, spoolMaxBytes, serverUrl } = options;
  const name = newName(serverUrl);
  const folder = join(spoolDir, stateName(name, 'writing'));
  try {
    const entry: Entry = { ...delivery, serverUrl, reports: [], traces: [] };
    const bytes = Buffer.from(JSON.stringify(entry));
    if (bytes.length > spoolMaxBytes) return { ok: false, why: tooLarge(spoolDir, spoolMaxBytes) };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, ENTRY_FILE), bytes, { mode: 0o600, flush: true });
    renameSync(folder, join(spoolDir, name));
    const missing = reports.length + traces.length > 0 ? 'without reports and traces' : null;
    return { ok: true, folder: join(spoolDir, name), missing, gone: 0 };
  } catch (error) {
    removeFolder(folder);
    return { ok: false, why: whyNotKept(error as NodeJS.ErrnoException, spoolDir) };
  }
};

/** The entry is there before its files are, so that a process that ends meanwhile loses some of them at most. */
const write = async (
  { reports, traces, ...delivery }: Delivery,
  { spoolDir, serverUrl }: Options,
  refused: boolean,
): Promise<{ name: string; why: string | null }> => {
  const name = newName(serverUrl);
  const folder = join(spoolDir, stateName(name, 'writing'));
  try {
    await mkdir(folder, { mode: 0o700 });
    if (refused)
      await writeFile(join(folder, REFUSED_FILE), 'Refused by the service; only `assay flush` tries again.\n');
    const copies = [...(await planCopies(reports, 'report')), ...(await planCopies(traces, 'trace'))];
    const kept = <T extends { readonly path: string }>(items: readonly T[]): T[] =>
      items.flatMap((item) => {
        const copy = copies.find(({ from }) => from === item.path);
        return copy ? [{ ...item, path: copy.name }] : [];
      });
    const entry: Entry = { ...delivery, serverUrl, reports: kept(reports), traces: kept(traces) };
    await writeDurably(join(folder, ENTRY_FILE), JSON.stringify(entry));
    const why = await copyAll(copies, folder, spoolDir);
    await rename(folder, join(spoolDir, name));
    return { name, why };
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
};

interface Source {
  readonly path: string;
  readonly only?: readonly string[] | undefined;
}

interface Copy {
  readonly from: string;
  readonly only?: readonly string[] | undefined;
  readonly name: string;
  readonly isFolder: boolean;
}

/** A folder is kept as the zip that is sent. What is gone is left out. */
const planCopies = async (items: readonly Source[], kind: string): Promise<Copy[]> => {
  const plan: Copy[] = [];
  for (const [at, { path, only }] of items.entries()) {
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    const isFolder = found.isDirectory();
    plan.push({ from: path, only, name: `${kind}-${at}${isFolder ? '.zip' : ''}`, isFolder });
  }
  return plan;
};

/** A disk that has no room for the files may have room for the results: then none of them stays, and this says why. */
const copyAll = async (copies: readonly Copy[], folder: string, spoolDir: string): Promise<string | null> => {
  try {
    for (const { from, only, name, isFolder } of copies) {
      // A file has its name once it is complete; one that is not there is not sent.
      const half = join(folder, `${name}.half`);
      if (isFolder) await pipeline(await zipFolder(from, only), createWriteStream(half));
      else await copyFile(from, half, constants.COPYFILE_FICLONE);
      await rename(half, join(folder, name));
    }
    return null;
  } catch (error) {
    for (const { name } of copies) {
      for (const path of [name, `${name}.half`]) await rm(join(folder, path), { force: true });
    }
    return whyNotKept(error as NodeJS.ErrnoException, spoolDir);
  }
};

const writeDurably = async (path: string, text: string): Promise<void> => {
  const half = `${path}.half`;
  const file = await open(half, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(half, path);
};

/** The oldest go, so that a service that is away for long never fills the disk; only once the new one is there. */
const makeRoom = async (spoolDir: string, allowedBytes: number, newest: string): Promise<number> => {
  const folders = (await listSpool(spoolDir)).filter(({ state }) => state === 'waiting');
  const sizes = await Promise.all(folders.map(({ folder }) => sizeOf(folder)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  let gone = 0;
  for (const [at, { folder, name }] of folders.entries()) {
    if (total <= allowedBytes) break;
    if (name === newest) continue;
    removeFolder(folder);
    total -= sizes[at]!;
    gone++;
  }
  return gone;
};

const bytesOfFiles = async ({ reports, traces }: Delivery): Promise<number> => {
  const files: readonly Source[] = [...reports, ...traces];
  const sizes = await Promise.all(files.map(({ path, only }) => sizeOf(path, only)));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const tooLarge = (spoolDir: string, bytes: number): string =>
  `${spoolDir} may have ${Math.round(bytes / 1024 / 1024)} MB (see spoolMaxMb)`;

const whyNotKept = ({ code, message }: NodeJS.ErrnoException, spoolDir: string): string => {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk of ${spoolDir} is full`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${spoolDir} may not be written to`;
  return `${spoolDir} cannot be used: ${message}`;
};
