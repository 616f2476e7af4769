import { parseText, print } from '@assay/expression';

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

function measure(name: string, once: () => unknown): void {
  for (let i = 0; i < 100_000; i++) once();
  const rounds: number[] = [];
  for (let round = 0; round < 2000; round++) {
    const start = performance.now();
    for (let i = 0; i < 200; i++) once();
    rounds.push(((performance.now() - start) / 200) * 1000);
  }
  rounds.sort((a, b) => a - b);
  const [least, median] = [rounds[0]!, rounds[rounds.length >> 1]!];
  console.log(`${name.padEnd(32)} ${least.toFixed(2)} µs least, ${median.toFixed(2)} µs median`);
}

const read = parseText(TEXT);
if (!read.ok) throw new Error(JSON.stringify(read.issues));
const { tree } = read;

measure('parse, JavaScript surface', () => parseText(TEXT));
measure('parse, with spans', () => parseText(TEXT, { spans: true }));
measure('parse, search surface', () => parseText(SEARCH, { surface: 'search', catalogue }));
measure('print', () => print(tree));
