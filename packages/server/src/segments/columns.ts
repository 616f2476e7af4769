/*
 * The columns of every kind of block. A number names a column in stored blocks: it is never given to another column, and
 * a column that is no longer written keeps its number. A block may have columns that are not listed here, which are
 * skipped, and may lack nullable ones, which are then null in every row.
 */

export interface ColumnSpec {
  readonly number: number;
  /**
   * What a value means: itself, the place of a string, the place of a string with a JSON array (none when it is empty),
   * or the code of a status.
   */
  readonly holds: 'number' | 'string' | 'list' | 'status';
  readonly nullable?: true;
}

export type ColumnTable = Readonly<Record<string, ColumnSpec>>;

export const RESULT_COLUMNS = {
  testId: { number: 1, holds: 'number' },
  status: { number: 2, holds: 'status' },
  durationMs: { number: 3, holds: 'number', nullable: true },
  retries: { number: 4, holds: 'number' },
  line: { number: 5, holds: 'number', nullable: true },
  column: { number: 6, holds: 'number', nullable: true },
  error: { number: 7, holds: 'string', nullable: true },
  tags: { number: 8, holds: 'list', nullable: true },
  startMs: { number: 9, holds: 'number', nullable: true },
  lane: { number: 10, holds: 'number', nullable: true },
  failedMs: { number: 11, holds: 'number', nullable: true },
  /** By version 3 of `errorCause`: causes of another version are another column, 12 has those of version 2. */
  cause: { number: 13, holds: 'string', nullable: true },
  /** Reason, title, file and browser; the last ones are left out where they are not known. */
  notRun: { number: 14, holds: 'list', nullable: true },
} as const satisfies ColumnTable;

export const REQUEST_COLUMNS = {
  caseIndex: { number: 1, holds: 'number' },
  method: { number: 2, holds: 'string' },
  route: { number: 3, holds: 'string' },
  status: { number: 4, holds: 'number', nullable: true },
  durationMs: { number: 5, holds: 'number', nullable: true },
  type: { number: 6, holds: 'string', nullable: true },
} as const satisfies ColumnTable;

export const SUMMARY_COLUMNS = {
  testId: { number: 1, holds: 'number' },
  results: { number: 2, holds: 'number' },
  passed: { number: 3, holds: 'number' },
  failed: { number: 4, holds: 'number' },
  skipped: { number: 5, holds: 'number' },
  flaky: { number: 6, holds: 'number' },
  timed: { number: 7, holds: 'number' },
  durationSumMs: { number: 8, holds: 'number' },
  lastStart: { number: 9, holds: 'number' },
  lastRunId: { number: 10, holds: 'number' },
  lastRow: { number: 11, holds: 'number' },
  lastStatus: { number: 12, holds: 'status' },
  failedStart: { number: 13, holds: 'number', nullable: true },
  failedRunId: { number: 14, holds: 'number', nullable: true },
  failedIndex: { number: 15, holds: 'number', nullable: true },
} as const satisfies ColumnTable;

export const namesOf = <T extends ColumnTable>(table: T): readonly (keyof T & string)[] => Object.keys(table);

/** A row as everyone but the block sees it. */
export type RowOf<T extends ColumnTable> = { readonly [N in keyof T]: ValueOf<T[N]> };

type ValueOf<C extends ColumnSpec> = C['holds'] extends 'list'
  ? readonly string[]
  : (C['holds'] extends 'number' ? number : string) | (C extends { nullable: true } ? null : never);
