import { type CsvCell, csvRecord } from '@assay/contract';

/** A line of names and one for each row: all fields, those of inner objects as `outer.inner`, lists with spaces between. */
export const csvOf = (rows: readonly object[]): string => {
  const flat = rows.map((row) => new Map(fieldsOf(row, '')));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  return [names, ...flat.map((row) => names.map((name) => row.get(name)))].map(csvRecord).join('');
};

const fieldsOf = (row: object, before: string): [string, CsvCell][] =>
  Object.entries(row).flatMap(([key, value]: [string, unknown]): [string, CsvCell][] => {
    const name = `${before}${key}`;
    if (Array.isArray(value)) return [[name, value.map(textOf).join(' ')]];
    if (typeof value === 'object' && value !== null) return fieldsOf(value, `${name}.`);
    return [[name, isCell(value) ? value : undefined]];
  });

const isCell = (value: unknown): value is CsvCell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
