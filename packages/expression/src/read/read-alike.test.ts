import { afterEach, describe, expect, test } from 'vitest';
import { build, canonical, parseEnvelope, serialize } from '../index.ts';

const tree = build.lambda(
  ['t'],
  build.logical(
    '&&',
    build.call(build.member(build.member(build.param('t'), 'title', true), 'includes'), [build.constant('a:b')]),
    build.objectLit([
      build.spread(build.param('t')),
      build.property('k', build.arrayLit([build.constant([1, { x: 2 }])])),
    ]),
  ),
);

const isFrozenInDepth = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozenInDepth));

const codesOf = (input: unknown): readonly string[] => {
  const result = parseEnvelope(input);
  return result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path}`);
};

describe('a tree that is read', () => {
  test.each([
    ['a text', canonical(tree)],
    ['a text with white space', JSON.stringify(serialize(tree), undefined, 2)],
    ['a text with escapes', canonical(tree).replace('title', '\\u0074itle')],
    ['a value', JSON.parse(canonical(tree))],
  ])('is frozen in depth and equal to what was written, from %s', (_, input) => {
    const result = parseEnvelope(input);
    expect(result).toStrictEqual({ ok: true, tree });
    expect(result.ok && isFrozenInDepth(result.tree)).toBe(true);
  });

  test('shares nothing with the value that it came from', () => {
    const value = JSON.parse(canonical(tree));
    const result = parseEnvelope(value);
    value.root.body.right.props[1].value.elements[0].value[1].x = 3;
    value.root.params[0] = 'u';
    expect(result).toStrictEqual({ ok: true, tree });
    expect(Object.isFrozen(value.root)).toBe(false);
  });
});

describe('what a quick reading could overlook', () => {
  test('a duplicate key anywhere in a text', () => {
    expect(codesOf('{"v":1,"root":{"kind":"Param","name":"a","name":"b"}}')).toStrictEqual([
      'json.duplicateKey /root/name',
    ]);
    expect(codesOf('{"v":1,"root":{"kind":"Constant","value":{"a":[{"b":1,"b" :2}]}}}')).toStrictEqual([
      'json.duplicateKey /root/value/a/0/b',
    ]);
  });

  test('an accessor, which does not run', () => {
    let runs = 0;
    const root = { kind: 'Param' };
    Object.defineProperty(root, 'name', { enumerable: true, get: () => `t${++runs}` });
    expect(codesOf({ v: 1, root })).toStrictEqual(['value.accessor /root/name']);
    expect(runs).toBe(0);
  });

  test('fields that are inherited, not enumerable, or those of an array', () => {
    const inherited = Object.create({ name: 't' }, { kind: { value: 'Param', enumerable: true } });
    expect(codesOf({ v: 1, root: inherited })).toStrictEqual(['field.missing /root']);
    const hidden = Object.defineProperty({ kind: 'Param' }, 'name', { value: 't' });
    expect(codesOf({ v: 1, root: hidden })).toStrictEqual(['field.missing /root']);
    expect(codesOf({ v: 1, root: Object.assign([], { kind: 'Param', name: 't' }) })).toStrictEqual([
      'node.malformed /root',
    ]);
  });

  test('a value that answers differently when it is asked twice', () => {
    let asked = 0;
    const root = new Proxy(
      { kind: 'Param', name: 't' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          const found = Reflect.getOwnPropertyDescriptor(target, key);
          return found && key === 'name' ? { ...found, value: ++asked > 1 ? '__proto__' : 't' } : found;
        },
      },
    );
    const result = parseEnvelope({ v: 1, root });
    expect(!result.ok || (result.tree.kind === 'Param' && result.tree.name === 't')).toBe(true);
  });
});

describe('while Object.prototype has a name of the format', () => {
  afterEach(() => {
    for (const name of ['name', 'operand']) Reflect.deleteProperty(Object.prototype, name);
  });

  test('a text must still have it itself', () => {
    // oxlint-disable-next-line no-extend-native -- that is the attack
    Object.defineProperty(Object.prototype, 'name', { value: 'polluted', configurable: true });
    expect(codesOf('{"v":1,"root":{"kind":"Param","mane":"t"}}')).toStrictEqual([
      'field.missing /root',
      'node.unknownField /root/mane',
    ]);
  });

  test('what other fields hold is read as before', () => {
    // oxlint-disable-next-line no-extend-native -- that is the attack
    Object.defineProperty(Object.prototype, 'operand', { value: 'flag', configurable: true, writable: true });
    const root = { kind: 'Unary', op: '!', operand: { kind: 'Param', name: 't' } };
    expect(parseEnvelope(JSON.stringify({ v: 1, root }))).toStrictEqual({ ok: true, tree: root });
  });
});
