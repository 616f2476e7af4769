import { constants, createWriteStream, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Delivery } from '../delivery/delivery.ts';
import { type FileToSend, kindOf, openToSend, sizeOf } from '../delivery/file-to-send.ts';
import { jsonWith } from '../delivery/json-with.ts';
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
    const submission = JSON.stringify(delivery.submission);
    const resultBytes = Buffer.byteLength(submission);
    if (resultBytes > spoolMaxBytes) return { ok: false, why: tooLarge(spoolDir, spoolMaxBytes) };
    const { fitting, isAll } = await withoutLargest(delivery, spoolMaxBytes - resultBytes);
    const { name, why } = await write(fitting, submission, options, refused);
    const tooMuch = isAll
      ? null
      : `without its largest reports, traces and attachments: ${tooLarge(spoolDir, spoolMaxBytes)}`;
    const missing = why === null ? tooMuch : `${WITHOUT_FILES}: ${why}`;
    return {
      ok: true,
      folder: join(spoolDir, name),
      missing,
      gone: await makeRoom(spoolDir, spoolMaxBytes, name),
    };
  } catch (error) {
    return { ok: false, why: whyNotKept(error as NodeJS.ErrnoException, spoolDir) };
  }
};

const WITHOUT_FILES = 'without reports, traces and attachments';

/** The largest files go, as long as all of them do not fit. */
const withoutLargest = async (
  delivery: Delivery,
  allowedBytes: number,
): Promise<{ readonly fitting: Delivery; readonly isAll: boolean }> => {
  const files: readonly FileToSend[] = [...delivery.reports, ...delivery.traces, ...delivery.attachments];
  const sizes = await Promise.all(files.map(sizeOf));
  const smallestFirst = files.map((file, at) => ({ file, size: sizes[at]! })).sort((a, b) => a.size - b.size);
  const fits = new Set<FileToSend>();
  let total = 0;
  for (const { file, size } of smallestFirst) {
    total += size;
    if (total <= allowedBytes) fits.add(file);
  }
  const isFitting = (file: FileToSend): boolean => fits.has(file);
  const fitting = {
    ...delivery,
    reports: delivery.reports.filter(isFitting),
    traces: delivery.traces.filter(isFitting),
    attachments: delivery.attachments.filter(isFitting),
  };
  return { fitting, isAll: fits.size === files.length };
};

/** The same for a process that ends: the results at once, without files. Never throws. */
export const keepNow = ({ reports, traces, attachments, ...delivery }: Delivery, options: Options): Kept => {
  const { spoolDir, spoolMaxBytes, serverUrl } = options;
  const name = newName(serverUrl);
  const folder = join(spoolDir, stateName(name, 'writing'));
  try {
    const entry: Entry = { ...delivery, serverUrl, reports: [], traces: [], attachments: [] };
    const bytes = Buffer.from(JSON.stringify(entry));
    if (bytes.length > spoolMaxBytes) return { ok: false, why: tooLarge(spoolDir, spoolMaxBytes) };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, ENTRY_FILE), bytes, { mode: 0o600, flush: true });
    renameSync(folder, join(spoolDir, name));
    const missing = reports.length + traces.length + attachments.length > 0 ? WITHOUT_FILES : null;
    return { ok: true, folder: join(spoolDir, name), missing, gone: 0 };
  } catch (error) {
    removeFolder(folder);
    return { ok: false, why: whyNotKept(error as NodeJS.ErrnoException, spoolDir) };
  }
};

/** The entry is there before its files are, so that a process that ends meanwhile loses some of them at most. */
const write = async (
  { submission, reports, traces, attachments, ...delivery }: Delivery,
  submissionJson: string,
  { spoolDir, serverUrl }: Options,
  refused: boolean,
): Promise<{ name: string; why: string | null }> => {
  const name = newName(serverUrl);
  const folder = join(spoolDir, stateName(name, 'writing'));
  try {
    await mkdir(folder, { mode: 0o700 });
    if (refused)
      await writeFile(join(folder, REFUSED_FILE), 'Refused by the service; only `assay flush` retries it.\n');
    const copies = [
      ...(await planCopies(reports, 'report')),
      ...(await planCopies(traces, 'trace')),
      ...(await planCopies(attachments, 'attachment')),
    ];
    const names = new Map(copies.map(({ file, name }) => [file, name]));
    const kept = <T extends FileToSend>(items: readonly T[]): T[] =>
      items.flatMap((item) => {
        const path = names.get(item);
        return path === undefined ? [] : [{ ...item, path, only: undefined, entry: undefined, body: undefined }];
      });
    const entry: Omit<Entry, 'submission'> = {
      ...delivery,
      serverUrl,
      reports: kept(reports),
      traces: kept(traces),
      attachments: kept(attachments),
    };
    await writeDurably(join(folder, ENTRY_FILE), jsonWith(entry, 'submission', submissionJson));
    const why = await copyAll(copies, folder, spoolDir);
    await rename(folder, join(spoolDir, name));
    return { name, why };
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
};

interface Copy {
  readonly file: FileToSend;
  readonly name: string;
}

/** What is gone is left out. */
const planCopies = async (files: readonly FileToSend[], kind: string): Promise<Copy[]> => {
  const found = await Promise.all(files.map(kindOf));
  return files.flatMap((file, at) =>
    found[at] === 'none' ? [] : [{ file, name: `${kind}-${at}${found[at] === 'folder' ? '.zip' : ''}` }],
  );
};

/** A disk that has no room for the files may have room for the results: then none of them stays, and this says why. */
const copyAll = async (copies: readonly Copy[], folder: string, spoolDir: string): Promise<string | null> => {
  try {
    for (const { file, name } of copies) {
      // A file has its name once it is complete; one that is not there is not sent.
      const half = join(folder, `${name}.half`);
      if (await copyTo(half, file)) await rename(half, join(folder, name));
    }
    return null;
  } catch (error) {
    for (const { name } of copies) {
      for (const path of [name, `${name}.half`]) await rm(join(folder, path), { force: true });
    }
    return whyNotKept(error as NodeJS.ErrnoException, spoolDir);
  }
};

/** What is kept is what is sent: a folder as its zip. */
const copyTo = async (path: string, file: FileToSend): Promise<boolean> => {
  const opened = await openToSend(file);
  if (opened === null) return false;
  try {
    if (opened.isPlain) await copyFile(file.path, path, constants.COPYFILE_FICLONE);
    else await pipeline(opened.read(), createWriteStream(path));
    return true;
  } finally {
    await opened.close();
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
  const sizes = await Promise.all(folders.map(({ folder }) => sizeOf({ path: folder })));
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

const tooLarge = (spoolDir: string, bytes: number): string =>
  `${spoolDir} is limited to ${Math.round(bytes / 1024 / 1024)} MB (see spoolMaxMb)`;

const whyNotKept = ({ code, message }: NodeJS.ErrnoException, spoolDir: string): string => {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk of ${spoolDir} is full`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${spoolDir} is not writable`;
  return `${spoolDir} cannot be used: ${message}`;
};
