import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { treeArbitrary } from '../../test/arbitrary-tree.ts';
import { build, diff, equals } from '../index.ts';

const { arrayLit, binary, call, constant, lambda, logical, member, param, unary } = build;
const status = member(param('t'), 'status');
const failed = binary('===', status, constant('failed'));

it('names the one constant that changed', () => {
  const passed = binary('===', status, constant('passed'));
  expect(diff(lambda(['t'], failed), lambda(['t'], passed))).toEqual([
    {
      path: '/root/body/right',
      kind: 'changed',
      before: { kind: 'Constant', value: 'failed' },
      after: { kind: 'Constant', value: 'passed' },
    },
  ]);
});

it('names operators, flags and names by their field', () => {
  const a = logical('&&', member(param('t'), 'a'), failed);
  const b = logical('||', member(param('u'), 'a', true), failed);
  expect(diff(a, b)).toEqual(
    [
      { path: '/root/left/optional', kind: 'added', after: true },
      { path: '/root/op', kind: 'changed', before: '&&', after: '||' },
      { path: '/root/left/object/name', kind: 'changed', before: 't', after: 'u' },
    ].toSorted((x, y) => order(x.path) - order(y.path)),
  );
  function order(path: string): number {
    return ['/root/op', '/root/left/optional', '/root/left/object/name'].indexOf(path);
  }
});

it('finds what was put into and taken out of a list', () => {
  const list = (...values: number[]) => arrayLit(values.map((value) => constant(value)));
  expect(diff(list(1, 2, 3), list(1, 9, 2, 3))).toEqual([
    { path: '/root/elements/1', kind: 'added', after: { kind: 'Constant', value: 9 } },
  ]);
  expect(diff(list(1, 2, 3), list(2, 3))).toEqual([
    { path: '/root/elements/0', kind: 'removed', before: { kind: 'Constant', value: 1 } },
  ]);
  expect(diff(call(failed, [param('a')]), call(failed, [param('b')]))).toEqual([
    { path: '/root/args/0/name', kind: 'changed', before: 'a', after: 'b' },
  ]);
});

it('changes a node of another kind as a whole', () => {
  expect(diff(failed, unary('!', failed))).toMatchObject([{ path: '/root', kind: 'changed' }]);
});

it('is empty exactly for equal trees', () => {
  fc.assert(
    fc.property(treeArbitrary, treeArbitrary, (a, b) => {
      expect(diff(a, a)).toEqual([]);
      expect(diff(a, b).length === 0).toBe(equals(a, b));
    }),
    { numRuns: draws(100, 500) },
  );
});

it('goes through a tree of any depth', () => {
  const deep = (leaf: string) => {
    let tree: ReturnType<typeof unary> | ReturnType<typeof param> = param(leaf);
    for (let i = 0; i < 20_000; i++) tree = unary('!', tree);
    return tree;
  };
  expect(diff(deep('a'), deep('b'))).toMatchObject([{ kind: 'changed', before: 'a', after: 'b' }]);
});
