import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { memoise } from '../../memoise.ts';
import { contentTypeOf } from '../files/content-type.ts';

export interface InterfaceFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  /** The same compressed, as the build left it beside the file. */
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** The better one first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Interface {
  readonly index: InterfaceFile;
  /** All other files by their path, which starts with a slash; each is read at its first use and kept. */
  readonly files: ReadonlyMap<string, () => InterfaceFile>;
}

const ENDINGS: Record<Encoding, string> = { br: '.br', gzip: '.gz' };
/** Nothing that a router or a URL would read otherwise. */
const PLAIN_PATH = /^(?!api\/)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Finds the files of the built interface once, so that no request ever names one; null where it was not built. */
export const loadInterface = (folder: string): Interface | null => {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const read = memoise((name: string): InterfaceFile => readInterfaceFile(folder, name));
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .filter((name) => PLAIN_PATH.test(name) && !/\.(?:br|gz)$/.test(name) && name !== 'index.html');
  return { index: read('index.html'), files: new Map(names.map((name) => [`/${name}`, () => read(name)])) };
};

const readInterfaceFile = (folder: string, name: string): InterfaceFile => {
  const bytes = readFileSync(join(folder, name));
  const compressed = new Map<Encoding, Buffer>();
  for (const encoding of ENCODINGS) {
    const neighbour = join(folder, name + ENDINGS[encoding]);
    if (existsSync(neighbour)) compressed.set(encoding, readFileSync(neighbour));
  }
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, type: contentTypeOf(name), etag, compressed };
};

/** The build puts the interface beside its bundle; in the repository it is a package of its own. */
export const findInterface = (): string => {
  const built = join(import.meta.dirname, 'web');
  return existsSync(built) ? built : join(import.meta.dirname, '../../../../web/dist');
};
