import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Body } from '../http/client.ts';
import { UNREADABLE } from '../http/failure.ts';
import { type FileToSend, type OpenFile, openToSend } from './file-to-send.ts';

export interface FormText {
  readonly name: string;
  readonly pieces: readonly Buffer[];
}

export const textOf = (name: string, text: string): FormText => ({ name, pieces: [Buffer.from(text)] });

export interface FormFile extends FileToSend {
  readonly name: string;
  /** Where it is not that of the file. */
  readonly fileName?: string;
  readonly contentType?: string;
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
  for (const { name, pieces } of texts) {
    yield counted(Buffer.from(`${head(boundary, name)}${CRLF}${CRLF}`));
    for (const piece of pieces) yield counted(piece);
    yield Buffer.from(CRLF);
  }
  for (const { name, fileName, contentType, ...file } of files) {
    // Opened before its part begins, so that one that is not there leaves no empty part.
    const content = await openToSend(file).catch(unreadable(file.path));
    if (content === null) continue;
    const disposition = `; filename="${quotable(fileName ?? content.name)}"`;
    const headers = `${head(boundary, name)}${disposition}${CRLF}content-type: ${mediaTypeOf(contentType)}`;
    try {
      yield counted(Buffer.from(`${headers}${CRLF}${CRLF}`));
      for await (const chunk of chunksOf(content, file.path)) yield counted(chunk);
    } finally {
      // Nobody may have read it: a request can end at any chunk.
      await content.close();
    }
    yield Buffer.from(CRLF);
  }
  yield Buffer.from(`--${boundary}--${CRLF}`);
}

async function* chunksOf(content: OpenFile, path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content.read()) yield chunk as Buffer;
  } catch (error) {
    unreadable(path)(error as Error);
  }
}

/** The service shortens what is too long for it. */
const LONGEST_NAME = 2_000;

/** Within quotes, in UTF-8. The service takes what stands before a slash for folders, and leaves that out. */
const quotable = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\\/]/gu, '_')
    .slice(0, LONGEST_NAME)
    .replaceAll('"', '\\"');

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}(?:; ?charset="?[\w-]{1,40}"?)?$/;

const mediaTypeOf = (type: string | undefined): string =>
  type !== undefined && MEDIA_TYPE.test(type) ? type : 'application/octet-stream';

const unreadable =
  (path: string) =>
  (error: Error): never => {
    throw Object.assign(new Error(`${path} cannot be read: ${error.message}`), { code: UNREADABLE, path });
  };

const head = (boundary: string, name: string): string =>
  `--${boundary}${CRLF}content-disposition: form-data; name="${name}"`;
