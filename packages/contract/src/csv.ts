export type CsvCell = string | number | boolean | null | undefined;

/** One record, as RFC 4180 says. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csvRecord = (cells: readonly CsvCell[]): string => `${cells.map(writeCell).join()}\r\n`;

const writeCell = (cell: CsvCell): string => {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
