import type { TestEntry } from './test-fields.ts';

const COLUMNS = ['title', 'passrate', 'flakyrate', 'avg', 'p90', 'total', 'runs', 'lastfailure', 'lastrun'] as const;
export type TestColumn = (typeof COLUMNS)[number];
export type FigureColumn = Exclude<TestColumn, 'title'>;

/** What a list shows of its tests, and how they are ordered unless the address says otherwise. */
export interface TestView {
  readonly title: string;
  readonly figures: readonly FigureColumn[];
  readonly order: TestOrder;
}

export const OUTCOMES: TestView = {
  title: 'Tests',
  figures: ['passrate', 'flakyrate', 'avg', 'p90', 'lastfailure', 'lastrun'],
  order: { column: 'lastrun', descending: true },
};

export const TIME_SPENT: TestView = {
  title: 'Time spent on all tests',
  figures: ['total', 'avg', 'p90', 'runs', 'passrate', 'lastrun'],
  order: { column: 'total', descending: true },
};

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
  total: true,
  runs: true,
  lastfailure: true,
  lastrun: true,
};

/** Of the address: a column, with a `-` before it when it goes down. */
export const readOrder = (text: string, otherwise: TestOrder): TestOrder => {
  const column = COLUMNS.find((name) => name === text.replace(/^-/, ''));
  return column === undefined ? otherwise : { column, descending: text.startsWith('-') };
};

export const writeOrder = ({ column, descending }: TestOrder): string => (descending ? `-${column}` : column);

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
    case 'total':
      return test.totalDuration ?? null;
    case 'runs':
      return test.totalRuns;
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
