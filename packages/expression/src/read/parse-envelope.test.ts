import { describe, expect, it } from 'vitest';
import { canonical, equals, hash, type Node, parseEnvelope, type ReadOptions, serialize, walk } from '../index.ts';

const T = { kind: 'Param', name: 't' };

class Instance {
  readonly field = 1;
}

function holes(length: number): unknown[] {
  const array: unknown[] = [];
  array.length = length;
  return array;
}

function codes(input: unknown, options?: ReadOptions): string[] {
  const result = parseEnvelope(input, options);
  return result.ok ? [] : result.issues.map((issue) => `${issue.code} ${issue.path}`);
}

function read(root: unknown, options?: ReadOptions): Node {
  const result = parseEnvelope({ v: 1, root }, options);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
}

describe('what is read', () => {
  it('is frozen in depth and shares nothing with the input', () => {
    const input = {
      kind: 'ObjectLit',
      props: [
        { key: 'a', value: { kind: 'Constant', value: [{ $tag: 'regexp', source: 'a', flags: 'g' }, { b: [] }] } },
        { spread: { kind: 'Lambda', params: ['x'], body: { kind: 'Template', quasis: ['', ''], exprs: [T] } } },
      ],
    };
    const pending: unknown[] = [read(input, { spans: true })];
    let objects = 0;
    while (pending.length > 0) {
      const value = pending.pop();
      if (typeof value !== 'object' || value === null) continue;
      objects++;
      expect(Object.isFrozen(value)).toBe(true);
      pending.push(...Object.values(value));
    }
    expect(objects).toBe(15);
    expect(Object.isFrozen(input) || Object.isFrozen(input.props)).toBe(false);
  });

  it('has values rehydrated', () => {
    const value = (constant: object) => {
      const node = read({ kind: 'Constant', ...constant });
      return node.kind === 'Constant' ? node.value : node;
    };
    expect(value({})).toBe(undefined);
    expect(value({ type: 'number', value: 'NaN' })).toBe(Number.NaN);
    expect(value({ type: 'bigint', value: '12' })).toBe(12n);
    expect(value({ type: 'date', value: '2020-01-01T00:00:00Z' })).toEqual(new Date(Date.UTC(2020, 0)));
    expect(value({ value: { $tag: 'regexp', source: 'a', flags: 'g' } })).toEqual(/a/g);
    expect(Object.is(value({ value: -0 }), -0)).toBe(true);
  });

  it('has spans only when asked for', () => {
    const spanned = { ...T, span: { start: 2, end: 3 } };
    expect(read(spanned)).toEqual(T);
    expect(read(spanned, { spans: true })).toEqual(spanned);
    expect(serialize(read(spanned, { spans: true }), { spans: true }).root).toEqual(spanned);
    expect(hash(read(spanned, { spans: true }))).toBe(hash(read(T)));
  });

  it('keeps a regexp from carrying its lastIndex from one use to the next', () => {
    const node = read({ kind: 'Constant', type: 'regexp', value: { source: 'a', flags: 'g' } });
    expect(() => node.kind === 'Constant' && (node.value as RegExp).test('aa')).toThrow(TypeError);
  });
});

describe('a message says what was found, what may be there, and the nearest', () => {
  const operators = '`===`, `!==`, `<`, `<=`, `>`, `>=`, `+`, `-`, `*`, `/`, `%`, `**`, `instanceof`, `in`';

  it.each<[unknown, ...string[]]>([
    [5, 'Expected a node, which is an object with a `kind`, not 5'],
    [{ knd: 'Param', name: 't' }, 'Expected a field `kind`; did you mean it by "knd"?'],
    [{ kind: 'Parm', name: 't' }, 'Expected a kind of version 1, not "Parm"; did you mean "Param"?'],
    [
      { kind: 'Param', nam: 't' },
      'Expected a field `name` of Param; did you mean it by "nam"?',
      'Expected no field "nam" of Param; did you mean "name"?',
    ],
    [{ ...T, extra: 1 }, 'Expected no field "extra" of Param; there is `name`'],
    [{ kind: 'Binary', op: '==', left: T, right: T }, 'Expected an operator of Binary, not "=="; did you mean "==="?'],
    [
      { kind: 'Binary', op: '&&', left: T, right: T },
      `Expected an operator of Binary (of Logical is this one), not "&&"; there are ${operators}`,
    ],
    [{ kind: 'Member', object: T, prop: 3 }, 'Expected a string, not 3'],
    [{ kind: 'Member', object: T, prop: 'a', optional: false }, 'Expected true or no field, not false'],
    [{ kind: 'Call', callee: T, args: {} }, 'Expected an array, not an object'],
    [{ kind: 'Constant', value: 1, typ: 'date' }, 'Expected no field "typ" of Constant; did you mean "type"?'],
    [{ kind: 'Constant', value: 1, type: 'dat' }, 'Expected a type of version 1, not "dat"; did you mean "date"?'],
    [
      { kind: 'Constant', value: 'today', type: 'date' },
      'Expected a value of type date: an RFC 3339 text such as "2026-01-31T10:00:00Z", not "today"',
    ],
    [
      { kind: 'Capture', name: 'math', global: true },
      'Expected the name of a global, not "math"; did you mean "Math"?',
    ],
    [{ kind: 'Template', quasis: [''], exprs: [T] }, 'Expected 2 quasis, one more than expressions, not 1'],
    [{ kind: 'ObjectLit', props: [5] }, 'Expected `{key, value}` or `{spread}`, not 5'],
    [
      { kind: 'Unary', op: '!', operand: 'a'.repeat(99) },
      `Expected a node, which is an object with a \`kind\`, not "${'a'.repeat(40)}…"`,
    ],
  ])('%j', (root, ...messages) => {
    const result = parseEnvelope({ v: 1, root });
    expect(!result.ok && result.issues.map(({ message }) => message)).toEqual(messages);
  });

  it('and gives the names to programs too', () => {
    const result = parseEnvelope({ v: 1, root: { kind: 'Unary', op: 'typof', operand: T } });
    expect(!result.ok && result.issues[0]?.details).toEqual({ allowed: ['!', '-', '+', 'typeof'], nearest: 'typeof' });
  });
});

describe('limits of depth and size', () => {
  const nested = (depth: number) =>
    `{"v":1,"root":${'{"kind":"Unary","op":"!","operand":'.repeat(depth)}null${'}'.repeat(depth)}}`;

  it.each([257, 20_000, 100_000])('text that is %d deep', (depth) => {
    const result = parseEnvelope(nested(depth), { limits: { textBytes: 1e9 } });
    expect(result).toMatchObject({
      ok: false,
      issues: [{ code: 'limit.depth', details: { limit: 256, actual: 257 } }],
    });
  });

  it('brackets alone, a hundred thousand deep', () => {
    expect(codes('['.repeat(1_000_000))).toEqual(['limit.textBytes ']);
    const text = '['.repeat(100_000);
    expect(codes(text, { limits: { textBytes: 1e9 } })).toEqual(['json.syntax ']);
    expect(codes(text + ']'.repeat(100_000), { limits: { textBytes: 1e9 } })).toEqual(['envelope.malformed ']);
  });

  it('data in a constant and in an ignored field', () => {
    const data = '['.repeat(20_000) + ']'.repeat(20_000);
    const constant = `{"v":1,"root":{"kind":"Constant","value":${data}}}`;
    expect(codes(constant).map((code) => code.split(' ')[0])).toEqual(['limit.depth']);
    const ignored = `{"v":1,"root":{"kind":"Param","name":"t","x":${data}}}`;
    expect(codes(ignored, { mode: 'lenient' }).map((code) => code.split(' ')[0])).toEqual(['limit.depth']);
    expect(codes(ignored)).toEqual(['node.unknownField /root/x']);
  });

  it('a deep tree within a raised limit is read, written, hashed and compared', () => {
    const limits = { textBytes: 1e9, depth: 1e6, nodes: 1e6 };
    const text = nested(20_000).replace('null', '{"kind":"Param","name":"t"}');
    const result = parseEnvelope(text, { limits });
    if (!result.ok) throw new Error('refused');
    expect(canonical(result.tree)).toBe(text);
    const value = parseEnvelope(serialize(result.tree), { limits });
    expect(value.ok && equals(value.tree, result.tree)).toBe(true);
    let nodes = 0;
    walk(result.tree, { leave: () => void nodes++ });
    expect(nodes).toBe(20_001);
  });

  it('a hundred issues are enough', () => {
    const many = { kind: 'ArrayLit', elements: Array.from({ length: 500 }, () => null) };
    expect(codes({ v: 1, root: many })).toHaveLength(100);
  });

  it('shared nodes count each time', () => {
    let node: object = T;
    for (let i = 0; i < 60; i++) node = { kind: 'Binary', op: '+', left: node, right: node };
    expect(codes({ v: 1, root: node }).map((code) => code.split(' ')[0])).toEqual(['limit.nodes']);
  });
});

describe('values that are not plain data', () => {
  const throws = (): never => {
    throw new Error('was run');
  };

  it('accessors are reported and never run', () => {
    const accessor = (object: object, key: string) =>
      Object.defineProperty(object, key, { get: throws, enumerable: true });
    expect(codes(accessor({ root: T }, 'v'))).toEqual(['envelope.version.invalid /v'].map(() => 'value.accessor /v'));
    expect(codes({ v: 1, root: accessor({ kind: 'Param' }, 'name') })).toEqual(['value.accessor /root/name']);
    expect(codes({ v: 1, root: accessor({ name: 't' }, 'kind') })).toContain('value.accessor /root/kind');
    expect(codes({ v: 1, root: accessor({ kind: 'Unary', op: '!' }, 'operand') })).toEqual([
      'value.accessor /root/operand',
    ]);
    expect(codes({ v: 1, root: accessor({ kind: 'Constant' }, 'value') })).toEqual(['value.accessor /root/value']);
    expect(codes({ v: 1, root: { kind: 'Constant', value: [accessor({}, 'a')] } })).toEqual([
      'value.accessor /root/value/0/a',
    ]);
    expect(codes({ v: 1, root: { kind: 'ArrayLit', elements: accessor([T], '0') } })).toEqual([
      'value.accessor /root/elements/0',
    ]);
    expect(codes({ v: 1, root: accessor({ ...T }, 'x') })).toContain('value.accessor /root/x');
  });

  it('only own properties count', () => {
    expect(codes(Object.create({ v: 1, root: T }))).toEqual(['envelope.malformed ']);
    expect(codes({ v: 1, root: Object.create(T) })).toEqual(['node.kindMissing /root']);
    expect(codes({ v: 1, root: Object.assign(Object.create({ optional: 5, x: 1 }), T) })).toEqual([]);
    expect(codes(Object.assign(Object.create(null), { v: 1, root: Object.assign(Object.create(null), T) }))).toEqual(
      [],
    );
  });

  it('an own __proto__ is forbidden, a prototype is not looked at', () => {
    expect(codes({ v: 1, root: JSON.parse('{"kind":"Param","name":"t","__proto__":1}') })).toEqual([
      'key.forbidden /root/__proto__',
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
    parseEnvelope(
      '{"v":1,"root":{"kind":"Constant","value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}',
    );
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
  });

  it('arrays are real arrays', () => {
    expect(codes({ v: 1, root: { kind: 'ArrayLit', elements: { 0: T, length: 1 } } })).toEqual([
      'field.type /root/elements',
    ]);
    expect(codes({ v: 1, root: { kind: 'ArrayLit', elements: new Set([T]) } })).toEqual(['field.type /root/elements']);
    expect(codes({ v: 1, root: { kind: 'ArrayLit', elements: holes(2) } })).toEqual([
      'node.malformed /root/elements/0',
      'node.malformed /root/elements/1',
    ]);
    expect(codes({ v: 1, root: { kind: 'ArrayLit', elements: holes(1e9) } })).toEqual(['limit.items /root/elements']);
  });

  it.each([
    ['a function', throws],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['Infinity', Infinity],
    ['a Date', new Date()],
    ['a RegExp', /a/],
    ['a Map', new Map()],
    ['an instance', new Instance()],
    ['a hole', holes(1)],
  ])('%s in a constant is refused', (_, value) => {
    expect(codes({ v: 1, root: { kind: 'Constant', value } })[0]).toMatch(/^constant\.unsupported \/root\/value/);
  });

  it('what is ignored stays as it is', () => {
    const ignored = { run: throws, list: [throws] };
    expect(codes({ v: 1, root: { ...T, ignored } }, { mode: 'lenient' })).toEqual([]);
    for (const value of [ignored, ignored.run, ignored.list]) expect(Object.isFrozen(value)).toBe(false);
  });

  it('undefined is as good as absent', () => {
    expect(read({ kind: 'Member', object: T, prop: 'p', optional: undefined, span: undefined, x: undefined })).toEqual({
      kind: 'Member',
      object: T,
      prop: 'p',
    });
  });

  it('cycles end', () => {
    const node: Record<string, unknown> = { kind: 'Unary', op: '!' };
    node['operand'] = node;
    expect(codes({ v: 1, root: node })[0]).toMatch(/^limit\.depth/);
    const data: unknown[] = [];
    data.push(data);
    expect(codes({ v: 1, root: { kind: 'Constant', value: data } })[0]).toMatch(/^limit\.depth/);
    expect(codes({ v: 1, root: { ...T, x: data } }, { mode: 'lenient' })[0]).toMatch(/^limit\.depth/);
  });

  it('proxies that throw are reported, proxies without an end are cut off', () => {
    const thrower = new Proxy(
      {},
      { getOwnPropertyDescriptor: throws, ownKeys: throws, get: throws, getPrototypeOf: throws },
    );
    expect(codes(thrower)).toEqual(['value.unreadable ']);
    expect(codes({ v: 1, root: { kind: 'Unary', op: '!', operand: thrower } })).toEqual([
      'value.unreadable /root/operand',
    ]);
    expect(codes({ v: 1, root: { kind: 'Constant', value: thrower } })).toEqual(['value.unreadable /root/value']);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(codes(proxy)).toEqual(['value.unreadable ']);
    const endless: object = new Proxy(
      { kind: 'Binary', op: '+', left: 0, right: 0 },
      {
        get: throws,
        getOwnPropertyDescriptor: (target, key) => {
          const own = Object.getOwnPropertyDescriptor(target, key);
          return own?.value === 0 ? { ...own, value: endless } : own;
        },
      },
    );
    expect(codes({ v: 1, root: endless })[0]).toMatch(/^limit\./);
  });
});
