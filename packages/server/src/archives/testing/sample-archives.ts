import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import yazl from 'yazl';
import { rawZip } from './raw-zip.ts';

/** Paths and contents. */
export type Files = Readonly<Record<string, string | Buffer>>;

export const lengthPrefixed = (files: Files): Buffer =>
  Buffer.concat(
    Object.entries(files).flatMap(([path, content]) => [
      lengthOf(path),
      Buffer.from(path),
      lengthOf(content),
      Buffer.from(content),
    ]),
  );

const lengthOf = (text: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(text));
  return length;
};

const zip = async (files: Files, options: Partial<yazl.Options>): Promise<Buffer> => {
  const archive = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path, options);
  archive.end();
  return buffer(archive.outputStream);
};

const tar = async (files: Files): Promise<Buffer> => {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  return buffer(archive);
};

const withDescriptors = (files: Files): Buffer =>
  rawZip(Object.entries(files).map(([name, content]) => ({ name, content, descriptor: true })));

/** Every kind of archive, made by other hands than those that read it where there are any. */
export const ARCHIVE_KINDS: Readonly<Record<string, (files: Files) => Promise<Buffer> | Buffer>> = {
  'zip, deflated': (files) => zip(files, {}),
  'zip, stored': (files) => zip(files, { compress: false }),
  zip64: (files) => zip(files, { forceZip64Format: true }),
  'zip with data descriptors': withDescriptors,
  tar: tar,
  'tar.gz': async (files) => gzipSync(await tar(files)),
  'length-prefixed': (files) => gzipSync(lengthPrefixed(files)),
};
