import { promisify } from 'node:util';
import { constants, crc32, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { type ColumnTable, namesOf } from './columns.ts';

/*
 * A block is a table of numbers, one typed array per column, and a dictionary of strings that columns may point into.
 * docs/segment-format.md describes it byte by byte.
 */

const MAGIC = 0x59535341;
const VERSION = 2;
/** Its columns have no numbers: they are the first ones of their table, in its order. */
const VERSION_WITHOUT_NUMBERS = 1;
const HEADER_BYTES = 16;
const DIRECTORY_ENTRY_BYTES = 16;
const STRINGS_HEADER_BYTES = 12;
const WORTH_COMPRESSING_BYTES = 256;
/** Strings of a block that are unpacked beside this thread, and whose texts are made each time that they are asked for. */
const MANY_STRINGS_BYTES = 1024 * 1024;
const MAX_STRINGS_BYTES = 2 ** 31;

export const blockKinds = { results: 1, requests: 2, summary: 3 } as const;
export type BlockKind = keyof typeof blockKinds;

/** The values of a column; NaN stands for null. */
export type ColumnValues = Float64Array;

/** A column of a stored block. It is widened when first asked for, because most reads need few columns. */
export interface Column {
  readonly values: ColumnValues;
  /** One value, without widening the column for it: for those who need few. */
  at(row: number): number;
  /** Equal numbers for equal values, mostly small ones, for scans that widen nothing; null when all values are equal. */
  packed(): StoredColumn | null;
  /** The same values in a longer column, without keeping them here too. */
  writeTo(target: ColumnValues, at: number): void;
}

export interface Block {
  readonly rows: number;
  /** By their numbers. */
  readonly columns: ReadonlyMap<number, Column>;
  readonly strings: Strings;
  /** What the block holds in memory once all of it was asked for. */
  readonly byteSize: number;
}

export interface Strings {
  readonly count: number;
  at(index: number): string;
  /** Unpacks strings that are so many that doing it at first use would hold this thread up. */
  prepare(): Promise<void>;
}

export class BlockError extends Error {
  override name = 'BlockError';
}

export type NamedColumns<T extends ColumnTable> = Record<keyof T & string, Column>;

/** Room for the values of the columns of a table. */
export const allocateColumns = <N extends string>(names: readonly N[], rows: number): Record<N, ColumnValues> =>
  Object.fromEntries(names.map((name) => [name, new Float64Array(rows)])) as Record<N, ColumnValues>;

/** The columns that a table names; one that was not known yet when the block was written has nulls. */
export const nameColumns = <T extends ColumnTable>(table: T, { rows, columns }: Block): NamedColumns<T> => {
  const named = Object.entries(table).map(([name, { number, nullable }]) => {
    const column = columns.get(number);
    if (!column && !nullable) throw new BlockError(`The block has no column ${number} (${name})`);
    return [name, column ?? createColumn(rows, null, NaN, true)];
  });
  return Object.fromEntries(named) as NamedColumns<T>;
};

export const encodeBlock = <T extends ColumnTable>(
  kind: BlockKind,
  table: T,
  rows: number,
  values: Readonly<Record<keyof T & string, ColumnValues>>,
  strings: readonly string[],
): Uint8Array => {
  const names = namesOf(table);
  const columns = names.map((name) => values[name].subarray(0, rows));
  const plans = columns.map((column, id) => planColumn(id, column));
  const widestFirst = plans.toSorted((a, b) => b.width - a.width);
  const dictionary = encodeStrings(strings);

  const dataStart = HEADER_BYTES + columns.length * DIRECTORY_ENTRY_BYTES;
  const dataBytes = plans.reduce((sum, plan) => sum + plan.width * rows, 0);
  const stringsStart = alignTo4(dataStart + dataBytes);
  const bytes = new Uint8Array(stringsStart + dictionary.byteLength);
  const view = new DataView(bytes.buffer);

  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint8(6, blockKinds[kind]);
  view.setUint8(7, columns.length);
  view.setUint32(8, rows, true);
  let at = dataStart;
  for (const plan of widestFirst) {
    const entry = HEADER_BYTES + plan.id * DIRECTORY_ENTRY_BYTES;
    view.setUint8(entry, plan.width);
    view.setUint8(entry + 1, plan.nullable ? 1 : 0);
    view.setUint16(entry + 2, table[names[plan.id]!]!.number, true);
    view.setUint32(entry + 4, at, true);
    view.setFloat64(entry + 8, plan.base, true);
    writeColumn(bytes.buffer, at, plan, columns[plan.id]!);
    at += plan.width * rows;
  }
  bytes.set(dictionary, stringsStart);
  view.setUint32(12, checksum(bytes), true);
  return bytes;
};

interface ColumnPlan {
  readonly id: number;
  readonly width: 0 | 1 | 2 | 4 | 8;
  readonly nullable: boolean;
  readonly base: number;
}

/** The narrowest storage that keeps every value exactly. */
const planColumn = (id: number, values: ColumnValues): ColumnPlan => {
  let min = Infinity;
  let max = -Infinity;
  let nulls = 0;
  let whole = true;
  for (const value of values) {
    if (value !== value) nulls++;
    else {
      if (value < min) min = value;
      if (value > max) max = value;
      if (whole && !Number.isSafeInteger(value)) whole = false;
    }
  }
  if (nulls === values.length) return { id, width: 0, nullable: true, base: NaN };
  if (nulls === 0 && min === max) return { id, width: 0, nullable: false, base: min };
  const nullable = nulls > 0;
  const largest = max - min + (nullable ? 1 : 0);
  if (!whole || largest >= 2 ** 32) return { id, width: 8, nullable: false, base: 0 };
  return { id, width: largest < 2 ** 8 ? 1 : largest < 2 ** 16 ? 2 : 4, nullable, base: min };
};

const writeColumn = (buffer: ArrayBuffer, at: number, plan: ColumnPlan, values: ColumnValues): void => {
  if (plan.width === 0) return;
  if (plan.width === 8) {
    new Float64Array(buffer, at, values.length).set(values);
    return;
  }
  const target = typedArray(buffer, plan.width, at, values.length);
  const shift = plan.nullable ? 1 - plan.base : -plan.base;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    target[row] = value === value ? value + shift : 0;
  }
};

type StoredColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const typedArray = (buffer: ArrayBufferLike, width: number, at: number, length: number): StoredColumn => {
  switch (width) {
    case 1:
      return new Uint8Array(buffer, at, length);
    case 2:
      return new Uint16Array(buffer, at, length);
    case 4:
      return new Uint32Array(buffer, at, length);
    case 8:
      return new Float64Array(buffer, at, length);
    default:
      throw new BlockError(`A column has the unknown width ${width}`);
  }
};

const encodeStrings = (strings: readonly string[]): Uint8Array => {
  const texts = strings.map((text) => Buffer.from(text, 'utf8'));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  texts.forEach((text, index) => {
    end += text.length;
    ends[index] = end;
  });
  const raw = Buffer.concat([Buffer.from(ends.buffer), ...texts]);
  const packed = raw.length < WORTH_COMPRESSING_BYTES ? raw : compress(raw);
  const stored = packed.length < raw.length ? packed : raw;
  const bytes = new Uint8Array(STRINGS_HEADER_BYTES + stored.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, texts.length, true);
  view.setUint32(4, raw.length, true);
  view.setUint32(8, stored.length, true);
  bytes.set(stored, STRINGS_HEADER_BYTES);
  return bytes;
};

const compress = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });

export const decodeBlock = (kind: BlockKind, stored: Uint8Array): Block => {
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw new BlockError('This is not a block');
  const version = view.getUint16(4, true);
  if (version !== VERSION && version !== VERSION_WITHOUT_NUMBERS) {
    throw new BlockError(`The block has format version ${version}; this version of Assay reads up to ${VERSION}`);
  }
  if (view.getUint8(6) !== blockKinds[kind]) throw new BlockError(`The block is not one of ${kind}`);
  if (view.getUint32(12, true) !== checksum(bytes)) throw new BlockError('The block is damaged');

  const rows = view.getUint32(8, true);
  const columnCount = view.getUint8(7);
  const columns = new Map<number, Column>();
  let dataEnd = HEADER_BYTES + columnCount * DIRECTORY_ENTRY_BYTES;
  for (let id = 0; id < columnCount; id++) {
    const entry = HEADER_BYTES + id * DIRECTORY_ENTRY_BYTES;
    const width = view.getUint8(entry);
    const at = view.getUint32(entry + 4, true);
    const stored = width === 0 ? null : typedArray(bytes.buffer, width, bytes.byteOffset + at, rows);
    const nullable = view.getUint8(entry + 1) === 1;
    const number = version === VERSION_WITHOUT_NUMBERS ? id + 1 : view.getUint16(entry + 2, true);
    columns.set(number, createColumn(rows, stored, view.getFloat64(entry + 8, true), nullable));
    dataEnd = Math.max(dataEnd, at + width * rows);
  }
  const strings = decodeStrings(bytes.subarray(alignTo4(dataEnd)));
  const widenedBytes = rows * columnCount * Float64Array.BYTES_PER_ELEMENT;
  return { rows, columns, strings, byteSize: bytes.byteLength + widenedBytes + strings.byteSize };
};

const createColumn = (rows: number, stored: StoredColumn | null, base: number, nullable: boolean): Column => {
  let values: ColumnValues | null = null;
  const shift = nullable ? base - 1 : base;
  const widenInto = (target: ColumnValues, at: number): ColumnValues => {
    if (stored === null) return target.fill(base, at, at + rows);
    for (let row = 0; row < rows; row++) {
      const value = stored[row]!;
      target[at + row] = nullable && value === 0 ? NaN : value + shift;
    }
    return target;
  };
  if (stored instanceof Float64Array) values = stored;
  return {
    get values() {
      return (values ??= widenInto(new Float64Array(rows), 0));
    },
    at(row) {
      if (values) return values[row]!;
      if (stored === null) return base;
      const value = stored[row]!;
      return nullable && value === 0 ? NaN : value + shift;
    },
    packed: () => stored,
    writeTo(target, at) {
      if (values) target.set(values, at);
      else widenInto(target, at);
    },
  };
};

const decodeStrings = (section: Uint8Array): Strings & { byteSize: number } => {
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  const count = view.getUint32(0, true);
  const rawBytes = view.getUint32(4, true);
  const storedBytes = view.getUint32(8, true);
  if (rawBytes > MAX_STRINGS_BYTES) throw new BlockError('The strings of the block are too large');
  const stored = section.subarray(STRINGS_HEADER_BYTES, STRINGS_HEADER_BYTES + storedBytes);
  const textStart = count * 4;

  const isLarge = rawBytes > MANY_STRINGS_BYTES;
  const known: (string | undefined)[] = [];
  let raw: Buffer | null =
    storedBytes === rawBytes ? Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength) : null;
  // One byte more than there is, so that all of it comes in one piece.
  const options = { maxOutputLength: Math.max(1, rawBytes), chunkSize: Math.max(64, rawBytes + 1) };
  const textAt = (from: Buffer, index: number): string => {
    const start = index === 0 ? 0 : from.readUInt32LE((index - 1) * 4);
    return from.toString('utf8', textStart + start, textStart + from.readUInt32LE(index * 4));
  };
  return {
    count,
    // Unpacked bytes, and the texts made of them.
    byteSize: (storedBytes === rawBytes ? 0 : rawBytes) + (isLarge ? 0 : 2 * rawBytes),
    at(index) {
      raw ??= zstdDecompressSync(stored, options);
      return isLarge ? textAt(raw, index) : (known[index] ??= textAt(raw, index));
    },
    async prepare() {
      if (isLarge) raw ??= await unpack(stored, options);
    },
  };
};

const unpack = promisify(zstdDecompress);

/** Over everything but the checksum itself. */
const checksum = (bytes: Uint8Array): number => crc32(bytes.subarray(HEADER_BYTES), crc32(bytes.subarray(0, 12)));

const alignTo4 = (offset: number): number => (offset + 3) & ~3;
