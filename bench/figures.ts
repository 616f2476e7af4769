export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] ?? NaN;
};

export const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
export const times = (ratio: number, digits = 2): string => `${ratio.toFixed(digits)} ×`;
export const thousands = (value: number): string => `${Math.round(value / 1000)}k`;

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly limit?: string;
  readonly ok?: boolean;
}

const missed: string[] = [];

/** The limits that were missed so far. */
export const missedLimits = (): readonly string[] => missed;

/** A Markdown table, so that it can be put into a document as it is. */
export const printTable = (title: string, rows: readonly Row[]): void => {
  missed.push(
    ...rows
      .filter(({ ok }) => ok === false)
      .map(({ what, measured, limit }) => `${title}: ${what}: ${measured}, limit ${limit}`),
  );
  const cells = [
    ['What', 'Measured', 'Limit'],
    ...rows.map(({ what, measured, limit, ok }) => [
      what,
      measured,
      limit ? `${limit}${ok === false ? ' (missed)' : ''}` : '',
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  console.log(`\n### ${title}\n`);
  console.log(line(cells[0]!));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of cells.slice(1)) console.log(line(row));
};
