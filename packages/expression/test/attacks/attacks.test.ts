import { describe, expect, test } from 'vitest';
import { build, compile, evaluate } from '../../src/index.ts';
import { ENGINES, outcomeOf } from '../engines.ts';
import { value, t, trip, trips } from './attack.ts';
import { costly } from './costly.ts';
import { inData } from './in-data.ts';
import { reaching } from './reaching.ts';
import { slowWork } from './slow-work.ts';

const { binary, call, capture, constant, member, param, unary } = build;

const engines = Object.keys(ENGINES);
const globalsBefore = Reflect.ownKeys(globalThis);
const prototypes = [Object, Array, String, Function, Date, RegExp, Number].map(({ prototype }) => prototype as object);
const shapeOf = (): unknown => prototypes.map((prototype) => Reflect.ownKeys(prototype));
const shapeBefore = shapeOf();

describe.each([
  ['reaching what is not given', reaching],
  ['code in data', inData],
  ['time and memory', costly],
  ['work that takes long for its steps', slowWork],
] as const)('%s', (_group, attacks) => {
  test.each(attacks.map((attack) => ({ ...attack })))('$name', (attack) => {
    for (const engine of engines) {
      if (attack.accessor && engine.includes('plain')) continue;
      const outcome = outcomeOf(engine, attack.tree, {
        params: attack.params,
        scope: attack.scope,
        limits: attack.limits,
      });
      const got = 'error' in outcome ? { error: outcome.error } : outcome;
      expect(got, engine).toStrictEqual(attack.gets);
    }
    expect(trips()).toBe(0);
  });
});

test('a polluted Object.prototype is not seen', () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  const compiled = engines.slice(1).map((engine) => {
    const [, mode, data = 'any'] = /^(\w+)(?:, (\w+) data)?$/.exec(engine)!;
    return compile(member(t, 'polluted'), { mode: mode as 'code', data: data as 'any' });
  });
  for (const run of compiled) expect(run({ t: {} })).toBe(undefined);
  try {
    prototype['polluted'] = 'leak';
    Object.defineProperty(prototype, 'hidden', { get: trip, configurable: true });
    for (const run of compiled) {
      expect(run({ t: {} })).toBe(undefined);
      expect(run({ t: { polluted: 'own' } })).toBe('own');
    }
    for (const engine of engines) {
      expect(outcomeOf(engine, param('polluted'), { params: {} })).toStrictEqual({
        error: 'eval.unboundParam',
        path: '/root',
      });
      expect(outcomeOf(engine, capture('polluted'), { scope: {} })).toStrictEqual({
        error: 'eval.unboundCapture',
        path: '/root',
      });
      expect(outcomeOf(engine, member(t, 'hidden'), { params: { t: {} } })).toStrictEqual(value(undefined));
    }
  } finally {
    delete prototype['polluted'];
    delete prototype['hidden'];
  }
  expect(trips()).toBe(0);
});

test('what is returned can be changed without changing the tree', () => {
  const tree = constant({ when: new Date(0), list: [1] });
  for (const engine of engines) {
    const { value: first } = outcomeOf(engine, tree) as { value: { when: Date } };
    first.when.setTime(9);
    expect(outcomeOf(engine, tree)).toStrictEqual(value({ when: new Date(0), list: [1] }));
  }
  const row = { when: new Date(0) };
  (evaluate(member(t, 'when'), { params: { t: row } }) as Date).setTime(9);
  expect(row.when.getTime()).toBe(0);
});

test('a tree that changes after compiling changes nothing', () => {
  const list = [1, 2];
  const tree = { kind: 'Constant', value: list } as const;
  const run = compile(tree);
  list.push(3);
  expect(run()).toStrictEqual([1, 2]);
});

test('a host function may evaluate the same tree again', () => {
  let depth = 0;
  const scope = { host: (): unknown => (depth++ < 3 ? run() : 1) };
  const run = compile(binary('+', call(capture('host')), constant(1)), { scope });
  expect(run()).toBe(5);
});

test('typeof a missing capture is the one place where it may be missing', () => {
  for (const engine of engines) {
    expect(outcomeOf(engine, unary('typeof', capture('missing')))).toStrictEqual(value('undefined'));
    expect(outcomeOf(engine, unary('typeof', member(capture('missing'), 'a')))).toStrictEqual({
      error: 'eval.unboundCapture',
      path: '/root/operand/object',
    });
  }
});

test('after all of it nothing global has changed', () => {
  expect(trips()).toBe(0);
  expect(Reflect.ownKeys(globalThis)).toStrictEqual(globalsBefore);
  expect(shapeOf()).toStrictEqual(shapeBefore);
});
