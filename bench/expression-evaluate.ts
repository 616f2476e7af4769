import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { type Compiled, compile, parseText } from '@assay/expression';
import { PEERS } from './expression-peers.ts';
import { PREDICATES, type Predicate, type Row, SCOPE, SHAPES, makeRows } from './expression-predicates.ts';
import { type Measured, meanOf, writeReadme } from './expression-readme.ts';
import { percentile, printTable, times } from './figures.ts';

const ROWS = 2_000;
const ROUNDS = 15;
/** What an engine inlines, and where, differs from one process to the next. */
const PROCESSES = 3;
/** Before that, so that a busy machine has time to optimise what is measured. */
const WARM_UP_ROUNDS = 40;
/** A pass over the rows is repeated until it takes so long. */
const PASS_MS = 1;
/** Of the rounds: what else a machine does only ever adds. */
const PERCENTILE = 20;

const LIMITS = { code: 1.5, meanOfCode: 1.2, closures: 4 };

type Test = (t: Row) => unknown;
type Loop = (rows: readonly Row[], test: Test, passes: number) => number;
/** Nanoseconds for a row, by who tests it. */
type Times = Readonly<Record<string, number>>;

/** What was given last, so that an engine cannot leave out making it. */
const kept: { last?: unknown } = {};

/** A loop of its own for each, so that none learns the types of another. */
const makeLoop = (name: string, givesObjects: boolean): Loop => {
  const use = givesObjects ? 'kept.last = test(rows[i])' : 'if (test(rows[i])) n++';
  const loop = `let n = 0; for (let p = 0; p < passes; p++) for (let i = 0; i < rows.length; i++) ${use}; return n; // ${name}`;
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the text is ours
  const run = new Function('rows', 'test', 'passes', 'kept', loop);
  return (rows, test, passes) => run(rows, test, passes, kept) as number;
};

const compiled = ({ text }: Predicate, mode: 'code' | 'closure'): Compiled => {
  const read = parseText(text);
  if (!read.ok) throw new Error(`${text}: ${read.issues[0]?.message}`);
  return compile(read.tree, { mode, scope: { ...SCOPE } });
};

const subjectsOf = (predicate: Predicate): [string, Test][] => {
  const { native } = predicate;
  const code = compiled(predicate, 'code');
  const closure = compiled(predicate, 'closure');
  const peers = Object.entries(PEERS).map(([name, make]) => [name, make(predicate)] as const);
  return [
    ['native', (t) => native(t, SCOPE)],
    ['code', (t) => code({ t })],
    ['closures', (t) => closure({ t })],
    ...peers.filter((peer): peer is [string, Test] => peer[1] !== undefined),
  ];
};

/** They take turns. */
const measure = (predicate: Predicate, rows: readonly Row[]): Times => {
  const givesObjects = typeof predicate.native(rows[0]!, SCOPE) === 'object';
  const subjects = subjectsOf(predicate).map(([name, test]) => {
    for (const row of rows)
      if (!agree(test(row), predicate.native(row, SCOPE))) throw new Error(`${name} differs: ${predicate.text}`);
    return { name, test, loop: makeLoop(name, givesObjects), passes: 1, ns: [] as number[] };
  });
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    for (const subject of subjects) {
      const { test, loop, passes, ns } = subject;
      // Whoever comes after one that makes much garbage finds the rows cold.
      loop(rows, test, 1);
      const start = performance.now();
      loop(rows, test, passes);
      const ms = performance.now() - start;
      if (round >= 0) ns.push((ms / passes / rows.length) * 1e6);
      else if (ms < PASS_MS) subject.passes *= 2;
    }
  return Object.fromEntries(subjects.map(({ name, ns }) => [name, percentile(ns, PERCENTILE)]));
};

const agree = (found: unknown, expected: unknown): boolean =>
  typeof expected === 'object' ? isDeepStrictEqual({ ...(found as object) }, expected) : Boolean(found) === expected;

/** In a process of its own, as a program with one rule would run it. */
const measureAlone = (shape: string, index: number): Times => {
  const { status, stdout } = spawnSync(process.execPath, [import.meta.filename, shape, `${index}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${PREDICATES[index]!.text} failed`);
  return JSON.parse(stdout) as Times;
};

/** The median of several processes, for each who tests. */
const measureOften = (shape: string, index: number): Times => {
  const measured = Array.from({ length: PROCESSES }, () => measureAlone(shape, index));
  const names = Object.keys(measured[0]!);
  return Object.fromEntries(
    names.map((name) => [
      name,
      percentile(
        measured.map((times) => times[name]!),
        50,
      ),
    ]),
  );
};

const printShape = (shape: string, only: string): readonly Measured[] => {
  const measured = PREDICATES.flatMap(({ text }, index) =>
    text.includes(only) ? [{ text, ns: measureOften(shape, index) }] : [],
  );
  const [meanOfCode, meanOfClosures] = [meanOf('code', measured), meanOf('closures', measured)];
  printTable(`Predicates over rows: ${shape}`, [
    ...measured.map(({ text, ns }) => {
      const { native, code, closures, ...peers } = ns as Record<'native' | 'code' | 'closures', number>;
      const rest = Object.entries<number>(peers);
      return {
        what: `\`${text}\``,
        measured: [
          `${native.toFixed(1)} ns`,
          `code ${times(code / native)}`,
          `closures ${times(closures / native)}`,
          ...rest.map(([name, time]) => `${name} ${times(time / native, 1)}`),
        ].join(', '),
        limit: `${LIMITS.code} ×, ${LIMITS.closures} ×, ahead of all`,
        ok:
          code <= LIMITS.code * native && closures <= LIMITS.closures * native && rest.every(([, time]) => time > code),
      };
    }),
    {
      what: 'Geometric mean',
      measured: `code ${times(meanOfCode)}, closures ${times(meanOfClosures)}`,
      limit: `${LIMITS.meanOfCode} ×, ${LIMITS.closures} ×`,
      ok: meanOfCode <= LIMITS.meanOfCode && meanOfClosures <= LIMITS.closures,
    },
  ]);
  return measured;
};

/** `node bench/expression-evaluate.ts [part of a predicate]`, or `--readme` to write the figures into the README. */
const [asked = '', index] = process.argv.slice(2);
const isForReadme = asked === '--readme';
if (index === undefined) {
  const measured = Object.keys(SHAPES).map((shape) => [shape, printShape(shape, isForReadme ? '' : asked)] as const);
  if (isForReadme) writeReadme(Object.fromEntries(measured));
} else console.log(JSON.stringify(measure(PREDICATES[Number(index)]!, makeRows(ROWS).map(SHAPES[asked]!))));
