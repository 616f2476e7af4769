import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** What the reads of an installation answered, by their addresses. */
export type Answers = Record<string, unknown>;

export const SECRET = 'the secret of stored installations: 0123456789';

interface Packed {
  readonly answers: Answers;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

const fileOf = (name: string): string => join(import.meta.dirname, `${name}.zst`);

/** Keeps a data folder, and what it answers, as one file beside this one. */
export const packInstallation = (name: string, dataDir: string, answers: Answers): void => {
  const paths = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'lock')
    .map((entry) => relative(dataDir, join(entry.parentPath, entry.name)));
  const contents = paths.map((path) => readFileSync(join(dataDir, path)));
  const packed: Packed = { answers, files: paths.map((path, nth) => ({ path, size: contents[nth]!.length })) };
  const head = Buffer.from(JSON.stringify(packed));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  const params = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_enableLongDistanceMatching]: 1 };
  writeFileSync(fileOf(name), zstdCompressSync(Buffer.concat([size, head, ...contents]), { params }));
};

/** Writes the data folder of an installation, and returns what it answered when it was packed. */
export const unpackInstallation = (name: string, dataDir: string): Answers => {
  const bytes = zstdDecompressSync(readFileSync(fileOf(name)));
  let at = 4 + bytes.readUInt32LE(0);
  const { answers, files } = JSON.parse(bytes.toString('utf8', 4, at)) as Packed;
  for (const { path, size } of files) {
    const target = join(dataDir, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes.subarray(at, at + size));
    at += size;
  }
  return answers;
};
