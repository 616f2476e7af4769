import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A folder as people zip it. */
export const zipFolder = async (folder: string): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) zip.addFile(path, relative(folder, path));
  }
  zip.end();
  return buffer(zip.outputStream);
};
