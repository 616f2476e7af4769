import { describe, expect, it } from 'vitest';
import { build, canonical, hash, type Node, serialize, type Value } from '../index.ts';

class Instance {
  readonly field = 1;
}

describe('writing', () => {
  const cyclic: unknown[] = [];
  cyclic.push([cyclic]);
  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a Map', new Map()],
    ['a Set', new Set()],
    ['an instance', new Instance()],
    ['an invalid date', new Date(Number.NaN)],
    ['a cycle', cyclic],
    ['a hole', Object.assign([], { length: 1 })],
    ['a key that is a symbol', { [Symbol('x')]: 1 }],
    ['an accessor', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })],
    ['a wrapped text', Object('a')],
  ])('%s is refused, also deep inside', (_, value: unknown) => {
    const refusal = expect.objectContaining({ code: 'constant.unsupported' }) as Error;
    expect(() => build.constant(value as never)).toThrow(refusal);
    expect(() => serialize({ kind: 'Constant', value: value as never })).toThrow(refusal);
    expect(() => canonical(build.unary('!', { kind: 'Constant', value: [{ a: value as never }] }))).toThrow(refusal);
  });

  it('the place of what is refused is in the error', () => {
    const tree = build.unary('!', { kind: 'Constant', value: [{ a: Symbol('x') as never }] });
    expect(() => serialize(tree)).toThrow(expect.objectContaining({ path: '/root/operand/value/0/a' }) as Error);
  });

  it('a tree that shares nodes without end is refused', () => {
    let node: Node = build.param('t');
    for (let i = 0; i < 60; i++) node = build.binary('+', node, node);
    const refusal = (limit: number) =>
      expect.objectContaining({ code: 'limit.nodes', path: '/root', details: { limit, actual: limit + 1 } }) as Error;
    expect(() => serialize(node, { nodes: 1000 })).toThrow(refusal(1000));
    expect(() => canonical(node)).toThrow(refusal(1_000_000));
  });

  it('data that shares arrays without end is refused', () => {
    let shared: Value = [];
    for (let i = 0; i < 60; i++) shared = [shared, shared];
    const tree = build.constant(shared);
    for (const write of [serialize, canonical, hash])
      expect(() => write(tree)).toThrow(expect.objectContaining({ code: 'limit.nodes', path: '/root' }) as Error);
  });

  it('the arrays and objects of a constant count as nodes where they are written', () => {
    const shared = { a: [1] };
    const tree = build.constant([shared, shared]);
    expect(serialize(tree, { nodes: 6 }).root['value']).toEqual([{ a: [1] }, { a: [1] }]);
    expect(() => serialize(tree, { nodes: 5 })).toThrow(expect.objectContaining({ code: 'limit.nodes' }) as Error);
  });

  it('as many nodes as are asked for are written', () => {
    const node = build.param('t');
    expect(serialize(build.binary('+', node, node), { nodes: 3 }).root['right']).toEqual({ kind: 'Param', name: 't' });
  });

  it('copies what a constant is built from', () => {
    const value = { list: [1], when: new Date(0), what: /a/g };
    const { value: copy } = build.constant(value);
    value.list.push(2);
    value.when.setTime(1);
    value.what.lastIndex = 1;
    expect(copy).toEqual({ list: [1], when: new Date(0), what: /a/g });
    expect(Object.isFrozen(value)).toBe(false);
  });

  it('builders refuse what the reader refuses', () => {
    const refusal = (code: string) => expect.objectContaining({ code }) as Error;
    expect(() => build.member(build.param('t'), '__proto__')).toThrow(refusal('key.forbidden'));
    expect(() => build.lambda(['a', 'a'], build.param('a'))).toThrow(refusal('lambda.duplicateParam'));
    expect(() => build.template(['a'], [build.param('a')])).toThrow(refusal('template.arity'));
    expect(() => build.constant(JSON.parse('{"__proto__":1}') as never)).toThrow(refusal('key.forbidden'));
  });

  it('spells out data that would be taken for a wrapper', () => {
    const tree = build.constant([{ $tag: 'date', iso: 'x' }, { a: 1 }]);
    expect(serialize(tree).root).toEqual({
      kind: 'ArrayLit',
      elements: [
        {
          kind: 'ObjectLit',
          props: [
            { key: '$tag', value: { kind: 'Constant', value: 'date' } },
            { key: 'iso', value: { kind: 'Constant', value: 'x' } },
          ],
        },
        { kind: 'Constant', value: { a: 1 } },
      ],
    });
  });
});
