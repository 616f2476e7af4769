import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { type Node, compile, evaluate, parseText } from '../../src/index.ts';
import type { FuzzProperty, Tried } from './property.ts';

/** What a full budget of steps may take. */
const MOST_MS = 150;
const MOST_MB = 64;
/** One case takes a full budget of steps; other properties try that many in the time. */
const AS_LONG_AS = 200;
/** The costliest so far, of which others are made. */
const KEPT = 30;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

type Type = 'text' | 'list' | 'number' | 'bigint' | 'any';

/** `v` stands for the value, `N` for a size. */
const OPERATIONS: readonly (readonly [from: Type, to: Type, texts: string])[] = [
  ['any', 'text', '`${v}` | JSON.stringify(v) | String(v) | typeof v'],
  ['any', 'list', '[v, v, v] | [v] | Array.of(v, v) | Object.values({a: v, b: v}) | Object.entries({a: v})'],
  ['any', 'number', '+(v === 1) | Number(Array.isArray(v)) | Number(v instanceof Date)'],
  ['text', 'text', 'v.toUpperCase() | v.trim() | v.normalize("NFKD") | v.padStart(N, "€") | v.repeat(N) | v + v'],
  [
    'text',
    'text',
    'v.replaceAll("", "$&$&") | v.replaceAll("a", "$`") | v.slice(0, N) | v.concat(v) | v.toWellFormed()',
  ],
  ['text', 'text', 'v.substring(N) | JSON.parse(JSON.stringify(v)) | `${v}${v}` | v.padEnd(N) | v.replace("b", v)'],
  ['text', 'number', 'v.length | v.lastIndexOf(v.slice(1) + "b") | v.indexOf("b") | Number.parseFloat(v) | Number(v)'],
  [
    'text',
    'number',
    'Number(v.includes(v.slice(N) + "b")) | Number(v.startsWith(v)) | v.charCodeAt(N) | Date.parse(v)',
  ],
  ['text', 'list', 'v.split("") | v.split("a") | [...v] | v.split(v)'],
  ['list', 'list', 'v.map(c => c) | v.map(c => [c]) | v.map(c => ({a: c})) | v.concat(v) | v.toReversed() | v.flat(9)'],
  [
    'list',
    'list',
    'v.toSorted() | v.slice(0) | [...v, ...v] | v.flatMap(c => [c, c]) | v.filter(c => true) | v.with(0, 1)',
  ],
  ['list', 'list', 'v.toSpliced(0, 1) | JSON.parse(JSON.stringify(v)) | v.map(c => `${c}`) | v.toSorted((a, b) => 0)'],
  ['list', 'text', 'v.join("€") | v.toString()'],
  [
    'list',
    'number',
    'v.indexOf("b") | v.lastIndexOf(N) | Number(v.includes(v)) | v.reduce((s, c) => s + 1, 0) | v.length',
  ],
  [
    'number',
    'text',
    'v.toFixed(99) | v.toString(3) | v.toPrecision(100) | String.fromCodePoint(v, v, v) | v.toExponential(99)',
  ],
  ['number', 'number', 'Math.hypot(v, v, v) | v ** N | -v | v * 1.1 | Math.max(v, N, v) | v % N | Math.sin(v)'],
  ['number', 'bigint', 'BigInt(N) ** 300n | BigInt.asIntN(N, 7n)'],
  ['bigint', 'bigint', 'v * v | v / 7n | v % 9007199254740993n | v ** 9n | v - 1n | BigInt(`${v}`)'],
];
const SOURCES: readonly (readonly [Type, string])[] = [
  ['text', 'long | accents | "ab" | digits'],
  ['list', 'numbers | texts | shared | dates | regexps | instances | Object.entries(wide) | [{...wide}]'],
  ['number', 'x | N | when.getTime() | Number(long)'],
  ['any', 'when | pattern | wide | instance | when.toISOString() | deep'],
];

class Instance {
  readonly a = 1;
  readonly list = [1, 2, 3];
}
const listOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const shared = (): unknown[] => {
  let list: unknown[] = [1];
  for (let level = 0; level < 40; level++) list = [list, list];
  return list;
};
const nested = (): unknown => {
  let object: unknown = 1;
  for (let level = 0; level < 30; level++) object = { a: object, b: object };
  return object;
};

const params = {
  long: 'a'.repeat(20_000),
  accents: 'ﷺé'.repeat(2_000),
  digits: '1234567890'.repeat(90),
  numbers: listOf(1_000, (at) => at * 1.1),
  texts: listOf(300, (at) => `text ${at % 7}`),
  shared: shared(),
  deep: nested(),
  dates: listOf(300, (at) => new Date(at)),
  regexps: listOf(300, () => /a/),
  instances: listOf(300, () => new Instance()),
  instance: new Instance(),
  wide: Object.fromEntries(listOf(300, (at) => [`key ${at}`, at])),
  when: new Date(0),
  pattern: /a(b|c)/gi,
};

interface Candidate {
  readonly source: number;
  /** Which of the operations that fit comes next, and the size that it gets. */
  readonly choices: readonly (readonly [operation: number, size: number])[];
}

const candidate: fc.Arbitrary<Candidate> = fc.record({
  source: fc.nat(),
  choices: fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(20), fc.nat(2_000))), { maxLength: 6 }),
});

const TEXTS = OPERATIONS.flatMap(([from, to, texts]) => texts.split(' | ').map((text) => ({ from, to, text })));
const STARTS = SOURCES.flatMap(([to, texts]) => texts.split(' | ').map((text) => ({ to, text })));

/** The operations applied one to the result of the other, again and again until the budget is spent. */
const textOf = ({ source, choices }: Candidate): string => {
  let { to: type, text } = STARTS[source % STARTS.length]!;
  text = text.replaceAll('N', '7');
  for (const [operation, size] of choices) {
    const fitting = TEXTS.filter(({ from }) => from === type || from === 'any');
    const next = fitting[operation % fitting.length]!;
    text = next.text.replaceAll(/\bN\b/g, String(size)).replaceAll(/\bv\b/g, `(${text})`);
    type = next.to;
    if (text.length > 2_000) break;
  }
  return `numbers.map(x => numbers.some(y => (${text}) === "no"))`;
};

interface Cost {
  readonly ms: number;
  readonly mb: number;
  /** Held until the memory is read. */
  readonly made?: unknown;
}

const costOf = (run: () => unknown): Cost => {
  collectGarbage();
  const before = process.memoryUsage();
  const start = process.threadCpuUsage();
  let made: unknown;
  try {
    made = run();
  } catch (error) {
    // Most spend their budget.
    made = error;
  }
  const { user, system } = process.threadCpuUsage(start);
  // What lived for a moment takes no more than the young space has.
  collectGarbage({ type: 'minor' });
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.external - before.heapUsed - before.external;
  return { ms: (user + system) / 1_000, mb: bytes / 1_000_000, made };
};

/** The least of three, so that what else the machine does counts for little. */
const steadyCost = (run: () => unknown): Cost => {
  const costs = [costOf(run), costOf(run), costOf(run)];
  return { ms: Math.min(...costs.map(({ ms }) => ms)), mb: Math.min(...costs.map(({ mb }) => mb)) };
};

const waysToRun = (tree: Node): (readonly [string, () => unknown])[] => {
  const closures = compile(tree, { mode: 'closure', data: 'plain', regexps: true });
  const code = compile(tree, { mode: 'code', data: 'plain', regexps: true });
  return [
    ['evaluate', () => evaluate(tree, { params, regexps: true })],
    ['closure', () => closures(params)],
    ['code', () => code(params)],
  ];
};

const shareOf = ({ ms, mb }: Cost): number => Math.max(ms / MOST_MS, mb / MOST_MB);

/** Searches for trees that cost the most for their steps: the costliest so far are changed a little, over and over. */
export const costProperty = (): FuzzProperty => {
  let costliest: { readonly candidate: Candidate; readonly share: number; readonly text: string }[] = [];

  const tryOne = (drawn: Candidate): string | undefined => {
    const text = textOf(drawn);
    const parsed = parseText(text);
    if (!parsed.ok) return undefined;
    for (const [engine, run] of waysToRun(parsed.tree)) {
      let cost = costOf(run);
      if (shareOf(cost) > 1) cost = steadyCost(run);
      costliest.push({ candidate: drawn, share: shareOf(cost), text });
      if (shareOf(cost) > 1) return `${engine}: ${cost.ms.toFixed(0)} ms, ${cost.mb.toFixed(0)} MB\n${text}`;
    }
    costliest = costliest.toSorted((a, b) => b.share - a.share).slice(0, KEPT);
    return undefined;
  };

  const change = (old: Candidate, drawn: Candidate): Candidate => {
    const keep = drawn.source % (old.choices.length + 1);
    return { source: old.source, choices: [...old.choices.slice(0, keep), ...drawn.choices.slice(0, 3)] };
  };

  return {
    name: 'cost',
    what: `a full budget of steps takes at most ${MOST_MS} ms and ${MOST_MB} MB`,
    try: async (seed, runs): Promise<Tried> => {
      const drawn = fc.sample(candidate, { seed, numRuns: Math.ceil(runs / AS_LONG_AS) });
      for (const [cases, next] of drawn.entries()) {
        const parent = costliest[next.source % (2 * KEPT)]?.candidate;
        const failure = tryOne(parent ? change(parent, next) : next);
        if (failure !== undefined) return { cases: cases + 1, failure };
      }
      return { cases: drawn.length };
    },
  };
};
