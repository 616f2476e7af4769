import { describe, expect, test } from 'vitest';
import { type EvaluateOptions, parseText } from '../src/index.ts';
import { outcomeOf } from './engines.ts';

/** Code and closures have loops of their own for methods of lists: they look at elements as `evaluate` does. */
const LOOPING = ['code, plain data', 'closure, plain data', 'code'];

const CALLS = [
  'includes(3)',
  'includes("a")',
  'includes(undefined)',
  'some(x => x)',
  'every(x => x !== 3)',
  'every((x, i, all) => i < 9 && all.length > 0)',
  'find(x => x === undefined)',
  'find(x => x?.a === 2)?.a',
  'findIndex(x => x === undefined)',
  'filter(x => x)',
  'filter(() => true)',
  'map(x => x?.a)',
  'map((x, i) => [i, x, t.by])',
  'map(x => t.list.some(y => y === x))',
  'map(x => t.list.map(y => [x?.a, y?.a, t.by]))',
  'map((x, i) => t.list.map(y => t.list.filter(z => z?.a === x?.a && i < t.by)))',
  'map(x => ["a0", "q0"].flatMap(name => [name, x?.a, t.by]))',
  'map(x => [2, 1].toSorted((one, other) => one - other + (x?.a ?? 0)))',
  'map(x => (y => [x?.a, y])(t.by))',
  'reduce((made, x) => t.list.reduce((sum, y) => [sum, x?.a, y?.a], made), t.list.map(x => x?.a))',
  'reduce((sum, x) => sum + x, 0)',
  'reduce((sum, x, i, all) => sum + i + all.length, t.by)',
  'reduce((last, x) => x ?? last.a, { a: 1 })',
];

const LISTS: readonly unknown[] = [
  [],
  [1, 2, 3],
  [0, 'a', null, undefined, true],
  // oxlint-disable-next-line no-sparse-arrays -- a list with holes
  [, 1, , undefined],
  [{ a: 1 }, { a: 2 }, Object.assign(Object.create(null) as object, { a: 2 })],
  [Object.assign(Object.create(Object.assign(Object.create(null) as object, { a: 3 })) as object, { b: 2 })],
  [
    new (class Box {
      a = 2;
    })(),
    new Date(0),
  ],
  [1, () => 1],
  [Symbol('s')],
  Array.from({ length: 40 }, (_, index) => index),
  null,
  'text',
  () => 1,
];

describe.each(CALLS)('%s', (call) => {
  const read = parseText(`t => t.list.${call}`);
  if (!read.ok) throw new Error(call);

  test('gives what evaluate gives, for every list and budget', () => {
    for (const list of LISTS) {
      const agree = (options: EvaluateOptions): void => {
        const given = { ...options, params: { t: { list, by: 5 } } };
        const expected = outcomeOf('evaluate', read.tree, given);
        for (const engine of LOOPING) expect(outcomeOf(engine, read.tree, given), engine).toStrictEqual(expected);
      };
      agree({});
      agree({ limits: { outputArrayLength: 2 } });
      for (let steps = 10; steps < 60; steps += 7) agree({ limits: { steps } });
    }
  });
});

test('lambdas within lambdas are built once, however deep they are', () => {
  const limits = { lambdaNesting: 40 };
  const nested = Array.from({ length: 39 }, (_, depth) => `t.list.map(x${depth} => `);
  const read = parseText(`t => ${nested.join('')}t.by${')'.repeat(nested.length)}`, { limits });
  if (!read.ok) throw new Error(read.issues[0]!.message);
  const given: EvaluateOptions = { limits, params: { t: { list: [1], by: 5 } } };
  const expected = outcomeOf('evaluate', read.tree, given);
  expect(JSON.stringify(expected)).toContain('[5]');
  for (const engine of LOOPING) expect(outcomeOf(engine, read.tree, given), engine).toStrictEqual(expected);
});
