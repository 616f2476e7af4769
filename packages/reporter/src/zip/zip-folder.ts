import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** What is worth compressing: pictures, videos and traces are compressed already. */
const TEXT = /\.(?:css|csv|html?|js|json|jsonl|log|map|md|mjs|svg|ttf|txt|xml)$/i;

/**
 * A folder, or `only` some of what is in it, as a zip that is made while it is read. The paths inside have forward slashes
 * on every system.
 */
export const zipFolder = async (folder: string, only?: readonly string[]): Promise<Readable> => {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  // A file that changes or vanishes while it is read. Whoever reads the zip is told, also when nobody reads it yet.
  zip.on('error', (error: Error) => stream.destroy(error));
  stream.on('error', () => undefined);
  for (const name of await filesIn(folder, '', only)) {
    zip.addFile(join(folder, name), name, { compress: TEXT.test(name) });
  }
  zip.end();
  return stream;
};

const filesIn = async (folder: string, prefix: string, only?: readonly string[]): Promise<string[]> => {
  const found = await readdir(join(folder, prefix), { withFileTypes: true });
  const entries = found.filter(({ name }) => only?.includes(name) ?? true);
  const names = await Promise.all(
    entries.map(async (entry) => {
      const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(folder, name);
      return entry.isFile() ? [name] : [];
    }),
  );
  return names.flat();
};
