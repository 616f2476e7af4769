import { parseSearch, parseText, print } from '@assay/expression';
import { type Row, percentile, printTable } from './figures.ts';

/** How long it takes to read and to print the predicate that the expression library is measured by, in microseconds, warm. */

const TEXT =
  "t => t.status === 'failed' && t.retries > 0 && t.title.toLowerCase().includes('login') && t.duration / 1000 >= 2.5";
const SEARCH = 'status:failed retries:>0 "log in" -tag:slow (duration:>2.5s OR flaky)';
const catalogue = {
  fields: {
    status: { type: 'enum', values: ['passed', 'failed'] },
    retries: { type: 'number' },
    title: { type: 'string' },
    tag: { type: 'strings' },
    duration: { type: 'duration' },
    flaky: { type: 'boolean' },
  },
} as const;

const LIMIT_US = 3;

function measure(what: string, once: () => unknown, limit?: number): Row {
  for (let i = 0; i < 100_000; i++) once();
  const rounds: number[] = [];
  for (let round = 0; round < 2000; round++) {
    const start = performance.now();
    for (let i = 0; i < 200; i++) once();
    rounds.push(((performance.now() - start) / 200) * 1000);
  }
  const [least, median] = [Math.min(...rounds), percentile(rounds, 50)];
  const measured = `${median.toFixed(2)} µs, least ${least.toFixed(2)} µs`;
  return limit === undefined ? { what, measured } : { what, measured, limit: `${limit} µs`, ok: median <= limit };
}

const read = parseText(TEXT);
if (!read.ok) throw new Error(JSON.stringify(read.issues));
const { tree } = read;

printTable('The predicate as text, warm', [
  measure('Parse JavaScript', () => parseText(TEXT), LIMIT_US),
  measure('Parse JavaScript, with spans', () => parseText(TEXT, { spans: true })),
  measure('Parse a search', () => parseSearch(SEARCH, catalogue)),
  measure('Print', () => print(tree)),
]);
