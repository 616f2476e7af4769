import { type Filterable, type FilterRow, RESULT_FIELDS, RUN_FIELDS, TEST_FIELDS } from '@assay/contract/filter';

export const SAMPLES = ['results', 'runs', 'tests'] as const;
export type Sample = (typeof SAMPLES)[number];

export const FIELDS: Readonly<Record<Sample, Filterable>> = {
  results: RESULT_FIELDS,
  runs: RUN_FIELDS,
  tests: TEST_FIELDS,
};

/** Rows beyond these are not asked. */
export const MOST_ROWS = 20;

const DAY_MS = 86_400_000;
const TEST = { title: 'Cart › adds an item', file: 'tests/cart.spec.ts', browser: 'chromium', owner: ['@acme/shop'] };
const RESULT = {
  ...TEST,
  error: null,
  duration: 840,
  retries: 0,
  flaky: false,
  new: false,
  tag: ['@smoke'],
  shard: null,
  line: 12,
};
const NO_FIGURES = { passrate: 100, flakyrate: 0, avg: 800, p90: 1_250, total: 96_000, runs: 120, failed: 0 };

/** Rows to try an expression on, as JSON, with times before `now`. */
export const sampleRows = (sample: Sample, now: number): string => {
  const daysAgo = (days: number): string => new Date(now - days * DAY_MS).toISOString();
  const rows = {
    results: [
      { status: 'passed', ...RESULT },
      {
        status: 'failed',
        ...RESULT,
        title: 'Account › asks to log in again',
        file: 'tests/account.spec.ts',
        error: 'Error: expected 200, got 502',
        duration: 4_200,
        retries: 2,
        new: true,
      },
      { status: 'passed', ...RESULT, title: 'Checkout › pays by card', duration: 2_900, retries: 1, flaky: true },
      { status: 'skipped', ...RESULT, title: 'Account › signs out', duration: null, tag: ['slow'], browser: null },
    ],
    runs: [
      aRun({
        status: 'failed',
        message: 'Take vouchers',
        started: daysAgo(1),
        duration: 912_000,
        failed: 14,
        flaky: 2,
      }),
      aRun({
        branch: 'feature/voucher',
        author: 'Grace Hopper',
        message: 'Add vouchers',
        pr: 12,
        base: '9d02e7a',
        started: daysAgo(3),
      }),
      aRun({ started: daysAgo(40) }),
    ],
    tests: [
      { status: 'passed', ...TEST, tag: ['@smoke'], ...NO_FIGURES, lastrun: daysAgo(1), lastfailure: null },
      {
        status: 'failed',
        ...TEST,
        title: 'Checkout › pays by card',
        file: 'tests/checkout.spec.ts',
        tag: ['@critical', 'slow'],
        ...NO_FIGURES,
        passrate: 85,
        flakyrate: 7.5,
        p90: 11_400,
        failed: 18,
        lastrun: daysAgo(1),
        lastfailure: daysAgo(1),
      },
      {
        status: 'skipped',
        ...TEST,
        title: 'Account › signs out',
        tag: [],
        ...NO_FIGURES,
        lastrun: daysAgo(9),
        lastfailure: null,
      },
    ],
  };
  return JSON.stringify(rows[sample], null, 2);
};

const aRun = (differs: FilterRow): FilterRow => ({
  status: 'passed',
  branch: 'main',
  commit: '4f1c2d9',
  author: 'Ada Lovelace',
  message: 'Round prices',
  environment: 'staging',
  pr: null,
  base: null,
  filtered: false,
  duration: 431_000,
  tests: 240,
  passed: 240,
  failed: 0,
  skipped: 0,
  flaky: 0,
  avg: 1_800,
  p90: 5_200,
  ...differs,
});

export type ReadRows =
  | { readonly ok: true; readonly rows: readonly FilterRow[] }
  | { readonly ok: false; readonly problem: string };

/** A JSON list of objects; what stands for a date becomes one. */
export const readRows = (text: string, { fields }: Filterable): ReadRows => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `This is not JSON: ${(error as Error).message}` };
  }
  if (!Array.isArray(json)) return { ok: false, problem: 'Write a list of rows: [{ … }, { … }]' };
  const rows: FilterRow[] = [];
  for (const [at, row] of json.entries()) {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      return { ok: false, problem: `Row ${at + 1} is not an object: write { "name": value, … }` };
    const read: Record<string, unknown> = { ...row };
    for (const [name, { type }] of Object.entries(fields)) {
      if (type !== 'date' || typeof read[name] !== 'string') continue;
      const date = new Date(read[name]);
      if (Number.isNaN(date.getTime()))
        return { ok: false, problem: `Row ${at + 1}: ${name} is not a date such as 2026-01-31T12:00:00Z` };
      read[name] = date;
    }
    rows.push(read);
  }
  return { ok: true, rows };
};
