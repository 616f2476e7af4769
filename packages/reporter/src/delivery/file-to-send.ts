import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { readZipEntry } from '@assay/import/zip-entry';
import { zipFolder } from '../zip/zip-folder.ts';

/** A file that is sent as it is, a folder that is sent as a zip, one file of a zip, or what is in memory. */
export interface FileToSend {
  readonly path: string;
  /** Of a folder that has more than the report: what it consists of there. */
  readonly only?: readonly string[] | undefined;
  /** Of a zip: the file in it that is sent. */
  readonly entry?: { readonly name: string; readonly sizeBytes: number } | undefined;
  /** What is in memory; `path` only names it. */
  readonly body?: Uint8Array | undefined;
}

export interface OpenFile {
  readonly name: string;
  /** Whether a copy of the file is what is sent. */
  readonly isPlain: boolean;
  read(): Readable;
  close(): Promise<void>;
}

/** Null when it is gone. */
export const openToSend = async ({ path, only, entry, body }: FileToSend): Promise<OpenFile | null> => {
  if (body !== undefined) return madeWhileRead(basename(path), Readable.from([body], { objectMode: false }));
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return madeWhileRead(`${basename(path)}.zip`, await zipFolder(path, only));
  if (entry !== undefined) {
    const content = await readZipEntry(path, entry.name);
    return content && madeWhileRead(basename(entry.name), content);
  }
  const file: FileHandle | null = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  return {
    name: basename(path),
    isPlain: true,
    read: () => file.createReadStream({ autoClose: false }),
    close: () => file.close(),
  };
};

const madeWhileRead = (name: string, content: Readable): OpenFile => ({
  name,
  isPlain: false,
  read: () => content,
  close: async () => void content.destroy(),
});

/** About how much there is to send: folders are compressed on the way. */
export const sizeOf = async ({ path, only, entry, body }: FileToSend): Promise<number> => {
  if (body !== undefined) return body.length;
  if (entry !== undefined) return entry.sizeBytes;
  const found = await stat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.size;
  const names = only ?? (await readdir(path).catch(() => []));
  return sizeOfAll(names.map((name) => ({ path: join(path, name) })));
};

/** Whether it is there, and as what. */
export const kindOf = async ({ path, body }: FileToSend): Promise<'file' | 'folder' | 'none'> => {
  if (body !== undefined) return 'file';
  const found = await stat(path).catch(() => null);
  return found === null ? 'none' : found.isDirectory() ? 'folder' : 'file';
};

export const sizeOfAll = async (files: readonly FileToSend[]): Promise<number> =>
  (await Promise.all(files.map(sizeOf))).reduce((sum, size) => sum + size, 0);
