import { crc32, deflateRawSync } from 'node:zlib';

/** What a header says, which need not be true. */
interface Claims {
  readonly name: string | Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
}

export interface RawZipEntry extends Partial<Claims> {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The data as it lies in the archive, when it is not made from the content. */
  readonly data?: Buffer;
  readonly mode?: number;
  readonly extra?: Buffer;
  readonly offset?: number;
  readonly local?: Partial<Claims>;
  readonly zip64?: boolean;
  readonly descriptor?: boolean;
  /** Lies in the archive but is not in its list, or the other way round. */
  readonly only?: 'local' | 'central';
}

export interface RawZipOptions {
  readonly comment?: string;
  readonly entryCount?: number;
  readonly directoryOffset?: number;
  readonly diskNumber?: number;
  readonly zip64?: boolean | { readonly entryCount?: number; readonly offset?: bigint };
}

const UTF8_FLAG = 0x800;
const DESCRIPTOR_FLAG = 0x8;
const FULL = 0xffffffff;

/** Writes any zip, be it wrong or right. */
export const rawZip = (entries: readonly RawZipEntry[], options: RawZipOptions = {}): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const method = entry.method ?? 8;
    const data = entry.data ?? (method === 8 ? deflateRawSync(content) : content);
    const claims: Claims = {
      name: entry.name,
      method,
      flags: entry.flags ?? UTF8_FLAG | (entry.descriptor ? DESCRIPTOR_FLAG : 0),
      crc32: entry.crc32 ?? crc32(content),
      compressedBytes: entry.compressedBytes ?? data.length,
      sizeBytes: entry.sizeBytes ?? content.length,
    };
    if (entry.only !== 'local') central.push(centralHeader(claims, entry, entry.offset ?? at));
    if (entry.only === 'central') continue;
    const parts = [localHeader(claims, entry), data, entry.descriptor ? descriptor(claims, entry) : Buffer.alloc(0)];
    local.push(...parts);
    at += Buffer.concat(parts).length;
  }
  const count = options.entryCount ?? central.length;
  return Buffer.concat([...local, ...central, endRecords(at, Buffer.concat(central).length, count, options)]);
};

const localHeader = (claims: Claims, { local, zip64, descriptor: follows, extra }: RawZipEntry): Buffer => {
  const unknown = follows ? { crc32: 0, compressedBytes: 0, sizeBytes: 0 } : {};
  const said = { ...claims, ...unknown, ...local };
  const fields = Buffer.concat([zip64 ? sizeField(said) : Buffer.alloc(0), extra ?? Buffer.alloc(0)]);
  return Buffer.concat([
    u32(0x04034b50),
    u16(45, said.flags, said.method, 0, 0),
    u32(said.crc32, zip64 ? FULL : said.compressedBytes, zip64 ? FULL : said.sizeBytes),
    u16(Buffer.byteLength(said.name), fields.length),
    Buffer.from(said.name),
    fields,
  ]);
};

const centralHeader = (claims: Claims, { mode, zip64, extra }: RawZipEntry, offset: number): Buffer => {
  const fields = Buffer.concat([
    zip64 ? Buffer.concat([u16(1, 24), u64(claims.sizeBytes, claims.compressedBytes, offset)]) : Buffer.alloc(0),
    extra ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([
    u32(0x02014b50),
    u16((3 << 8) | 45, 45, claims.flags, claims.method, 0, 0),
    u32(claims.crc32, zip64 ? FULL : claims.compressedBytes, zip64 ? FULL : claims.sizeBytes),
    u16(Buffer.byteLength(claims.name), fields.length, 0, 0, 0),
    u32(((mode ?? 0o100644) << 16) >>> 0, zip64 ? FULL : offset),
    Buffer.from(claims.name),
    fields,
  ]);
};

const sizeField = ({ sizeBytes, compressedBytes }: Claims): Buffer =>
  Buffer.concat([u16(1, 16), u64(sizeBytes, compressedBytes)]);

const descriptor = ({ crc32: sum, compressedBytes, sizeBytes }: Claims, { zip64 }: RawZipEntry): Buffer =>
  Buffer.concat([u32(0x08074b50, sum), zip64 ? u64(compressedBytes, sizeBytes) : u32(compressedBytes, sizeBytes)]);

const endRecords = (offset: number, length: number, count: number, options: RawZipOptions): Buffer => {
  const { comment = '', directoryOffset = offset, diskNumber = 0, zip64 } = options;
  const claims = typeof zip64 === 'object' ? zip64 : {};
  const wide = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(claims.entryCount ?? count, claims.entryCount ?? count, length, directoryOffset),
    u32(0x07064b50, 0),
    u64(claims.offset ?? BigInt(offset + length)),
    u32(1),
  ]);
  const hidden = zip64 === true;
  return Buffer.concat([
    zip64 ? wide : Buffer.alloc(0),
    u32(0x06054b50),
    u16(diskNumber, diskNumber, hidden ? 0xffff : count, hidden ? 0xffff : count),
    u32(hidden ? FULL : length, hidden ? FULL : directoryOffset),
    u16(Buffer.byteLength(comment)),
    Buffer.from(comment),
  ]);
};

const numbers =
  (bytes: number) =>
  (...values: readonly (number | bigint)[]) =>
    Buffer.concat(
      values.map((value) => {
        const field = Buffer.alloc(8);
        field.writeBigUInt64LE(BigInt(value));
        return field.subarray(0, bytes);
      }),
    );
const u16 = numbers(2);
const u32 = numbers(4);
const u64 = numbers(8);
