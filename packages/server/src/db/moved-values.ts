import { type KyselyPlugin, PostgresAdapter, type RawBuilder, type UnknownRow, sql } from 'kysely';
import type { Queries } from './database.ts';

/*
 * The bytes of old blocks and details may be in the file store. Their columns then hold a reference instead, and whoever
 * selects them is given the bytes: nothing that reads or replaces blocks has to know where they are. A reference is
 * 88 characters: `moved:`, the SHA-256 of the object as base64url, and the size of the object, the offset and the length
 * with 12 digits each. No block and no chunk of details begins like that.
 */

const MARK = 'moved:';
const DIGITS = 12;
const LENGTH_AT = 76;
export const REFERENCE_BYTES = LENGTH_AT + DIGITS;
const FORM = /^moved:(?<hash>[\w-]{43}):(?<objectBytes>\d{12}):(?<offset>\d{12}):(?<length>\d{12})$/;
/** What may be moved. Others have columns of these names too, but never a reference in them. */
const COLUMNS = ['results', 'requests', 'data'] as const;
const READS_AT_ONCE = 16;
/** Parts of an object with no more than this between them are read by one request. */
const LARGEST_GAP = 64 * 1024;

/** A part of an object. */
export interface MovedValue {
  /** SHA-256 of the object, in hexadecimal. */
  readonly hash: string;
  readonly objectBytes: number;
  readonly offset: number;
  readonly length: number;
}

/** Reads from an object, first and last byte included; null when it is missing or has another size. */
export type ReadMoved = (
  object: Pick<MovedValue, 'hash' | 'objectBytes'>,
  range: { readonly start: number; readonly end: number },
) => Promise<Uint8Array | null>;

export const writeReference = ({ hash, objectBytes, offset, length }: MovedValue): Uint8Array => {
  const numbers = [objectBytes, offset, length].map((value) => String(value).padStart(DIGITS, '0'));
  return Buffer.from(MARK + [Buffer.from(hash, 'hex').toString('base64url'), ...numbers].join(':'));
};

/** Null for what is no reference. */
export const readReference = (value: unknown): MovedValue | null => {
  if (!(value instanceof Uint8Array) || value.byteLength !== REFERENCE_BYTES) return null;
  const found = FORM.exec(Buffer.from(value).toString('latin1'))?.groups;
  if (!found) return null;
  return {
    hash: Buffer.from(found['hash']!, 'base64url').toString('hex'),
    objectBytes: Number(found['objectBytes']),
    offset: Number(found['offset']),
    length: Number(found['length']),
  };
};

/** Gives queries the bytes that references stand for. A reference to nothing stays: for its reader it is a damaged block. */
export const fillMoved = (read: ReadMoved): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const reads = planReads(result.rows).values();
    const readNext = async (): Promise<void> => {
      for (const { values, start, end } of reads) {
        const bytes = await read(values[0]!, { start, end });
        if (bytes === null) continue;
        for (const { row, column, offset, length } of values) {
          const value = bytes.subarray(offset - start, offset - start + length);
          // A copy of each where there are several, so that a small one does not keep all of them in memory.
          row[column] = values.length > 1 ? new Uint8Array(value) : value;
        }
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
    return result;
  },
});

interface PlacedValue extends MovedValue {
  readonly row: UnknownRow;
  readonly column: string;
}

interface PlannedRead {
  readonly values: PlacedValue[];
  readonly start: number;
  end: number;
}

const planReads = (rows: readonly UnknownRow[]): PlannedRead[] => {
  const first = rows[0];
  const columns = COLUMNS.filter((column) => first !== undefined && column in first);
  if (columns.length === 0) return [];
  const found: PlacedValue[] = [];
  for (const row of rows) {
    for (const column of columns) {
      const moved = readReference(row[column]);
      if (moved) found.push({ ...moved, row, column });
    }
  }
  const reads: PlannedRead[] = [];
  for (const values of Map.groupBy(found, ({ hash }) => hash).values()) {
    let last: PlannedRead | undefined;
    for (const value of values.sort((a, b) => a.offset - b.offset)) {
      const end = value.offset + value.length - 1;
      if (last && value.offset - last.end <= LARGEST_GAP) {
        last.values.push(value);
        last.end = Math.max(last.end, end);
      } else reads.push((last = { values: [value], start: value.offset, end }));
    }
  }
  return reads;
};

/** SQL of how long the bytes of a column are, wherever they are. */
export const storedLength = (queries: Queries, column: string): RawBuilder<number> => {
  const value = sql.ref(column);
  const isReference = sql`octet_length(${value}) = ${sql.lit(REFERENCE_BYTES)}`;
  const [mark, at, digits] = [Buffer.from(MARK).toString('hex'), LENGTH_AT + 1, DIGITS].map((part) =>
    sql.raw(String(part)),
  );
  return queries.getExecutor().adapter instanceof PostgresAdapter
    ? sql`CASE WHEN ${isReference} AND substring(${value} FROM 1 FOR ${sql.lit(MARK.length)}) = '\\x${mark}'::bytea
            THEN convert_from(substring(${value} FROM ${at} FOR ${digits}), 'LATIN1')::bigint
            ELSE octet_length(${value}) END`
    : sql`CASE WHEN ${isReference} AND substr(${value}, 1, ${sql.lit(MARK.length)}) = x'${mark}'
            THEN CAST(substr(${value}, ${at}, ${digits}) AS INTEGER) ELSE octet_length(${value}) END`;
};
