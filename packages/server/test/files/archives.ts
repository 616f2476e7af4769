import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { ZipFile } from 'yazl';

export type Files = Readonly<Record<string, string | Buffer>>;

export const zipOf = async (files: Files, options: { compress?: boolean; forceZip64Format?: boolean } = {}) => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, options);
  zip.end();
  return buffer(zip.outputStream);
};

export const tarOf = async (files: Files): Promise<Buffer> => {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content);
  tar.finalize();
  return buffer(tar);
};

export const tarGzOf = async (files: Files): Promise<Buffer> => gzipSync(await tarOf(files));

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

const uint16 = (value: number): Buffer => uint32(value).subarray(0, 2);

const block = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

/** The archive of older reporters. */
export const lengthPrefixedOf = (files: Files | readonly (readonly [string, string | Buffer])[]): Buffer => {
  const entries = Array.isArray(files) ? files : Object.entries(files);
  return gzipSync(Buffer.concat(entries.flatMap(([name, content]) => [block(name), block(content)])));
};

export interface RawEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** What the archive says of the size, whatever it is. */
  readonly claimedSize?: number;
  readonly mode?: number;
  readonly claimedCrc?: number;
}

/** A zip file that no tool would write. */
export const rawZip = (entries: readonly RawEntry[]): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = 'x', claimedSize, mode = 0o100644, claimedCrc } of entries) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    const fields = Buffer.concat([
      uint16(20),
      uint16(0x800),
      uint16(8),
      uint32(0),
      uint32(claimedCrc ?? crc32(raw)),
      uint32(packed.length),
      uint32(claimedSize ?? raw.length),
      uint16(nameBytes.length),
      uint16(0),
    ]);
    const local = Buffer.concat([uint32(0x04034b50), fields, nameBytes, packed]);
    const tail = Buffer.concat([uint16(0), uint16(0), uint16(0), uint32(mode << 16), uint32(offset), nameBytes]);
    directory.push(Buffer.concat([uint32(0x02014b50), uint16(0x031e), fields, tail]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = uint16(entries.length);
  const end = [uint32(0x06054b50), uint32(0), count, count, uint32(central.length), uint32(offset), uint16(0)];
  return Buffer.concat([...parts, central, ...end]);
};

export interface RawTarEntry {
  readonly name: string;
  readonly content?: string;
  readonly typeflag?: string;
  readonly linkname?: string;
}

const tarHeader = ({ name, content = '', typeflag = '0', linkname = '' }: RawTarEntry): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(typeflag, 156);
  header.write(linkname, 157, 100);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

/** A tar file that no tool would write. */
export const rawTar = (entries: readonly RawTarEntry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap((entry) => {
      const content = Buffer.from(entry.content ?? '');
      return [tarHeader(entry), content, Buffer.alloc((512 - (content.length % 512)) % 512)];
    }),
    Buffer.alloc(1_024),
  ]);
