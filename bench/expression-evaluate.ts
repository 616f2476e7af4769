import { type Node, compile, evaluate } from '@assay/expression';
import { peers } from './expression-peers.ts';
import { percentile, printTable, times } from './figures.ts';

const ROWS = 100_000;
const ROUNDS = 40;

interface TestRow {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly retries: number;
  readonly duration: number;
}

const param: Node = { kind: 'Param', name: 't' };
const field = (prop: string): Node => ({ kind: 'Member', object: param, prop });
const constant = (value: string | number): Node => ({ kind: 'Constant', value });
const method = (object: Node, prop: string, ...args: Node[]): Node => ({
  kind: 'Call',
  callee: { kind: 'Member', object, prop },
  args,
});
const binary = (left: Node, op: '===' | '>' | '>=' | '/', right: Node): Node => ({ kind: 'Binary', op, left, right });

const predicate: Node = {
  kind: 'Lambda',
  params: ['t'],
  body: [
    binary(field('status'), '===', constant('failed')),
    binary(field('retries'), '>', constant(0)),
    method(method(field('title'), 'toLowerCase'), 'includes', constant('login')),
    binary(binary(field('duration'), '/', constant(1000)), '>=', constant(2.5)),
  ].reduce((left, right): Node => ({ kind: 'Logical', op: '&&', left, right })),
};

const native = ({ t }: { t: TestRow }): unknown =>
  t.status === 'failed' && t.retries > 0 && t.title.toLowerCase().includes('login') && t.duration / 1000 >= 2.5;

const makeRows = (): TestRow[] => {
  let state = 7;
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
  const statuses = ['passed', 'failed', 'flaky', 'skipped'];
  return Array.from({ length: ROWS }, (_, id) => ({
    id,
    title: `Checkout ${random() < 0.5 ? 'Login' : 'cart'} page works ${id}`,
    status: statuses[Math.floor(random() * statuses.length)]!,
    retries: Math.floor(random() * 3),
    duration: random() * 8000,
  }));
};

type Predicate = (params: { t: TestRow }) => unknown;
type Loop = (rows: readonly TestRow[], test: Predicate) => number;

/** A loop of its own for each, so that none learns the types of another. */
const makeLoop = (name: string): Loop =>
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the text is ours
  new Function(
    'rows',
    'test',
    `let n = 0; for (let i = 0; i < rows.length; i++) if (test({ t: rows[i] })) n++; return n; // ${name}`,
  ) as Loop;

const measure = (subjects: Readonly<Record<string, Predicate>>): Map<string, number> => {
  const rows = makeRows();
  const runs = Object.entries(subjects).map(([name, test]) => ({
    name,
    test,
    loop: makeLoop(name),
    ms: [] as number[],
  }));
  const expected = rows.filter((t) => native({ t })).length;
  for (let round = -10; round < ROUNDS; round++)
    for (const { name, test, loop, ms } of runs) {
      const start = performance.now();
      const found = loop(rows, test);
      if (round >= 0) ms.push(performance.now() - start);
      if (found !== expected) throw new Error(`${name} finds ${found} rows, not ${expected}`);
    }
  return new Map(runs.map(({ name, ms }) => [name, percentile(ms, 50)]));
};

const LIMITS: Readonly<Record<string, number>> = { 'generated code': 1.15, closures: 2.2 };

const medians = measure({
  'the native function': native,
  'generated code': compile(predicate, { mode: 'code' }),
  closures: compile(predicate, { mode: 'closure' }),
  "generated code, data: 'any'": compile(predicate, { mode: 'code', data: 'any' }),
  "closures, data: 'any'": compile(predicate, { mode: 'closure', data: 'any' }),
  "generated code, data: 'plain'": compile(predicate, { mode: 'code', data: 'plain' }),
  "closures, data: 'plain'": compile(predicate, { mode: 'closure', data: 'plain' }),
  ...peers(),
});
const base = medians.get('the native function')!;
const start = performance.now();
for (const t of makeRows().slice(0, 2000)) evaluate(predicate, { params: { t } });
const interpreted = ((performance.now() - start) / 2000) * ROWS;

printTable(`Evaluation of a predicate over ${ROWS} rows`, [
  ...[...medians].map(([what, ms]) => ({
    what,
    measured: `${((ms / ROWS) * 1e6).toFixed(1)} ns a row = ${times(ms / base)}`,
    ...(LIMITS[what] && { limit: `at most ${LIMITS[what]} ×`, ok: ms / base <= LIMITS[what] }),
  })),
  { what: 'the interpreter, planning each time', measured: times(interpreted / base) },
]);
