import { zstdCompressSync } from 'node:zlib';
import { ParquetWriter, type SchemaElement, fileWriter } from 'hyparquet-writer';
import type { ColumnType, ColumnValue, ParquetColumns } from './columns.ts';

/** A row group ends with either: it is what is held in memory. */
const ROWS_PER_GROUP = 100_000;
const TEXT_BYTES_PER_GROUP = 32 * 1024 * 1024;

/** A Parquet file that is being written. */
export interface TableFile<Row> {
  add(row: Row): void;
  readonly rows: number;
  close(): void;
}

export const createTableFile = <Row>(path: string, columns: ParquetColumns<Row>): TableFile<Row> => {
  const named = Object.entries(columns);
  const schema: SchemaElement[] = [
    { name: 'root', num_children: named.length },
    ...named.flatMap(([name, { type }]) => SCHEMAS[type](name)),
  ];
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
  });
  let [rows, buffered] = [0, 0];
  let texts = createTexts();
  let group: unknown[][] = named.map(() => []);
  const writeGroup = (): void => {
    if (buffered === 0) return;
    const columnData = named.map(([name], place) => ({ name, data: group[place]! }));
    void file.write({ columnData, rowGroupSize: buffered });
    buffered = 0;
    texts = createTexts();
    group = named.map(() => []);
  };
  return {
    get rows() {
      return rows;
    },
    add(row) {
      for (let place = 0; place < named.length; place++) {
        const { type, of } = named[place]![1];
        group[place]!.push(toParquet(type, of(row), texts.bytesOf));
      }
      rows++;
      buffered++;
      if (buffered === ROWS_PER_GROUP || texts.byteSize() > TEXT_BYTES_PER_GROUP) writeGroup();
    },
    close() {
      writeGroup();
      void file.finish();
    },
  };
};

const optional = { repetition_type: 'OPTIONAL' } as const;
const utf8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const listOf = (name: string, element: Omit<SchemaElement, 'name'>): SchemaElement[] => [
  { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1, repetition_type: 'REQUIRED' },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  { name: 'element', ...element, repetition_type: 'REQUIRED' },
];

const SCHEMAS: Readonly<Record<ColumnType, (name: string) => SchemaElement[]>> = {
  integer: (name) => [{ name, type: 'INT64', ...optional }],
  double: (name) => [{ name, type: 'DOUBLE', ...optional }],
  boolean: (name) => [{ name, type: 'BOOLEAN', ...optional }],
  time: (name) => [
    {
      name,
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      ...optional,
    },
  ],
  text: (name) => [{ name, ...utf8, ...optional }],
  texts: (name) => listOf(name, utf8),
  integers: (name) => listOf(name, { type: 'INT64' }),
};

const toParquet = (type: ColumnType, value: ColumnValue, bytesOf: (text: string) => Uint8Array): unknown => {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'integer':
    case 'time':
      return BigInt(value as number);
    case 'text':
      return bytesOf(value as string);
    case 'texts':
      return (value as readonly string[]).map(bytesOf);
    case 'integers':
      return (value as readonly number[]).map(BigInt);
    case 'double':
    case 'boolean':
      return value;
  }
};

/**
 * Texts as bytes, each once: the library compares bytes as Parquet wants it, but strings by their UTF-16, so that
 * readers would skip groups by wrong bounds.
 */
const createTexts = () => {
  const known = new Map<string, Uint8Array>();
  let byteSize = 0;
  return {
    byteSize: () => byteSize,
    bytesOf(text: string): Uint8Array {
      let bytes = known.get(text);
      if (!bytes) {
        known.set(text, (bytes = Buffer.from(text)));
        byteSize += bytes.length;
      }
      return bytes;
    },
  };
};
