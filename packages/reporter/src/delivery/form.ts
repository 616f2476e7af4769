import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Body } from '../http/client.ts';
import { UNREADABLE } from '../http/failure.ts';
import { zipFolder } from './zip-folder.ts';

export interface FormText {
  readonly name: string;
  readonly text: string;
}

export interface FormFile {
  readonly name: string;
  /** A folder is sent as a zip of it, or of `only` some of what is in it. */
  readonly path: string;
  readonly only?: readonly string[] | undefined;
}

export interface Form {
  readonly texts: readonly FormText[];
  readonly files: readonly FormFile[];
  /** Told how many bytes have gone, over and over. */
  onSent?(bytes: number): void;
}

const CRLF = '\r\n';

/** A form whose files are read while it is sent, one after another. A file that is gone by then is left out. */
export const formBody = (form: Form): Body => {
  const boundary = `assay-${randomBytes(18).toString('hex')}`;
  return {
    kind: 'form',
    contentType: `multipart/form-data; boundary=${boundary}`,
    open: () => Readable.from(partsOf(form, boundary), { objectMode: false }),
  };
};

async function* partsOf({ texts, files, onSent }: Form, boundary: string): AsyncGenerator<Buffer> {
  let sent = 0;
  const counted = (chunk: Buffer): Buffer => {
    sent += chunk.length;
    onSent?.(sent);
    return chunk;
  };
  for (const { name, text } of texts) {
    yield counted(Buffer.from(`${head(boundary, name)}${CRLF}${CRLF}${text}${CRLF}`));
  }
  for (const { name, path, only } of files) {
    const content = await openContent(path, only).catch(unreadable(path));
    if (content === null) continue;
    const disposition = `; filename="${content.fileName.replaceAll(/["\\\r\n]/g, '_')}"`;
    const headers = `${head(boundary, name)}${disposition}${CRLF}content-type: application/octet-stream`;
    try {
      yield counted(Buffer.from(`${headers}${CRLF}${CRLF}`));
      for await (const chunk of chunksOf(content, path)) yield counted(chunk);
    } finally {
      // Nobody may have read it: a request can end at any chunk.
      await content.close();
    }
    yield Buffer.from(CRLF);
  }
  yield Buffer.from(`--${boundary}--${CRLF}`);
}

async function* chunksOf(content: Content, path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content.read()) yield chunk as Buffer;
  } catch (error) {
    unreadable(path)(error as Error);
  }
}

const unreadable =
  (path: string) =>
  (error: Error): never => {
    throw Object.assign(new Error(`${path} cannot be read: ${error.message}`), { code: UNREADABLE });
  };

const head = (boundary: string, name: string): string =>
  `--${boundary}${CRLF}content-disposition: form-data; name="${name}"`;

interface Content {
  readonly fileName: string;
  read(): Readable;
  close(): Promise<void>;
}

/** A file is opened before its part begins, so that one that is not there leaves no empty part. */
const openContent = async (path: string, only?: readonly string[]): Promise<Content | null> => {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) {
    const zip = await zipFolder(path, only);
    return { fileName: `${basename(path)}.zip`, read: () => zip, close: async () => void zip.destroy() };
  }
  const file: FileHandle | null = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  return {
    fileName: basename(path),
    read: () => file.createReadStream({ autoClose: false }),
    close: () => file.close(),
  };
};

/** About how much there is to send: folders are compressed on the way. */
export const sizeOf = async (path: string, only?: readonly string[]): Promise<number> => {
  const found = await stat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.size;
  const names = only ?? (await readdir(path).catch(() => []));
  const sizes = await Promise.all(names.map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
};
