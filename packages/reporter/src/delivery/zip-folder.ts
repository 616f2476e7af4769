import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** What is worth compressing: pictures, videos and traces are compressed already. */
const TEXT = /\.(?:css|csv|html?|js|json|jsonl|log|map|md|mjs|svg|ttf|txt|xml)$/i;

/** A folder as a zip, made while it is read; the paths inside have forward slashes on every system. */
export const zipFolder = async (folder: string): Promise<Readable> => {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  // A file that changes or vanishes while it is read. Whoever reads the zip is told, also when nobody reads it yet.
  zip.on('error', (error: Error) => stream.destroy(error));
  stream.on('error', () => undefined);
  for (const name of await filesIn(folder, '')) {
    zip.addFile(join(folder, name), name, { compress: TEXT.test(name) });
  }
  zip.end();
  return stream;
};

const filesIn = async (folder: string, prefix: string): Promise<string[]> => {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true });
  const names = await Promise.all(
    entries.map(async (entry) => {
      const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, name);
      return entry.isFile() ? [name] : [];
    }),
  );
  return names.flat();
};
