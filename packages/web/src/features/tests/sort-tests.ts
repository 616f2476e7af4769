import type { TestEntry } from './test-fields.ts';

export const COLUMNS = ['title', 'passrate', 'flakyrate', 'avg', 'p90', 'lastfailure', 'lastrun'] as const;
export type TestColumn = (typeof COLUMNS)[number];

export interface TestOrder {
  readonly column: TestColumn;
  readonly descending: boolean;
}

/** What one most likely wants to see first of a column. */
const STARTS_DESCENDING: Record<TestColumn, boolean> = {
  title: false,
  passrate: false,
  flakyrate: true,
  avg: true,
  p90: true,
  lastfailure: true,
  lastrun: true,
};

/** Of the address: a column, with a `-` before it when it goes down. */
export const readOrder = (text: string): TestOrder => {
  const column = COLUMNS.find((name) => name === text.replace(/^-/, ''));
  return column === undefined ? DEFAULT_ORDER : { column, descending: text.startsWith('-') };
};

export const writeOrder = ({ column, descending }: TestOrder): string => (descending ? `-${column}` : column);

export const DEFAULT_ORDER: TestOrder = { column: 'lastrun', descending: true };

/** The order after a click on the heading of a column. */
export const orderAfter = (order: TestOrder, column: TestColumn): TestOrder => ({
  column,
  descending: order.column === column ? !order.descending : STARTS_DESCENDING[column],
});

/** Tests without a figure come last, whichever the direction; equal ones go by file and title. */
export const sortTests = (entries: readonly TestEntry[], { column, descending }: TestOrder): TestEntry[] => {
  const sign = descending ? -1 : 1;
  const keyed = entries.map((entry) => ({ entry, key: keyOf(entry, column) }));
  keyed.sort((a, b) => {
    if (a.key === b.key) return byPlace(a.entry, b.entry);
    if (a.key === null) return 1;
    if (b.key === null) return -1;
    return a.key < b.key ? -sign : sign;
  });
  return keyed.map(({ entry }) => entry);
};

const keyOf = ({ test, passRate, flakyRate }: TestEntry, column: TestColumn): string | number | null => {
  switch (column) {
    case 'title':
      return test.title;
    case 'passrate':
      return passRate;
    case 'flakyrate':
      return flakyRate;
    case 'avg':
      return test.avgDuration;
    case 'p90':
      return test.p90Duration ?? null;
    case 'lastfailure':
      return test.lastFailure?.startTime ?? null;
    case 'lastrun':
      return test.lastRun;
  }
};

const byPlace = ({ test: a }: TestEntry, { test: b }: TestEntry): number => {
  if (a.filePath !== b.filePath) return a.filePath < b.filePath ? -1 : 1;
  return a.title < b.title ? -1 : a.title > b.title ? 1 : a.id - b.id;
};
