import type { Readable } from 'node:stream';
import { type Entry, type ZipFile, open } from 'yauzl';

/** One entry of a zip as it is unpacked, or null when there is none of that name. */
export const readZipEntry = async (path: string, name: string): Promise<Readable | null> => {
  const zip = await openZip(path);
  const entry = await findEntry(zip, ({ fileName }) => fileName === name);
  if (entry === null) return null;
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) {
        zip.close();
        reject(error);
        return;
      }
      // Nothing else is read: the file closes when this stream has ended.
      stream.once('close', () => zip.close());
      resolve(stream);
    });
  });
};

/** False for what is not a zip, too. */
export const hasZipEntry = async (path: string, name: string): Promise<boolean> => {
  try {
    const zip = await openZip(path);
    const entry = await findEntry(zip, ({ fileName }) => fileName === name);
    if (entry !== null) zip.close();
    return entry !== null;
  } catch {
    return false;
  }
};

/** Of all entries, unpacked, by their names. */
export const zipEntrySizes = async (path: string): Promise<ReadonlyMap<string, number>> => {
  const zip = await openZip(path);
  const sizes = new Map<string, number>();
  await findEntry(zip, ({ fileName, uncompressedSize }) => {
    sizes.set(fileName, uncompressedSize);
    return false;
  });
  return sizes;
};

const openZip = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

/** A zip in which it was not found is closed. */
const findEntry = (zip: ZipFile, isIt: (entry: Entry) => boolean): Promise<Entry | null> =>
  new Promise((resolve, reject) => {
    zip.on('error', (error: Error) => {
      zip.close();
      reject(error);
    });
    zip.on('end', () => {
      zip.close();
      resolve(null);
    });
    zip.on('entry', (entry: Entry) => (isIt(entry) ? resolve(entry) : zip.readEntry()));
    zip.readEntry();
  });
