import { describe, expect, test } from 'vitest';
import { type Node, compile, evaluate, parseText } from '../src/index.ts';

const read = (text: string): Node => {
  const result = parseText(text);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
};

const MODES = ['code', 'closure'] as const;

/** As rows of some databases come. */
const withoutPrototype = (row: object): object => Object.assign(Object.create(null) as object, row);

describe.each(MODES)('a compiled function, by %s', (mode) => {
  test('never runs an accessor when its first calls met one', () => {
    let runs = 0;
    const row = {
      get a() {
        return ++runs;
      },
    };
    const call = compile(read('t => t.a'), { mode });
    for (let i = 0; i < 500; i++)
      expect(call({ t: i === 50 || i > 200 ? row : { a: 1 } })).toBe(i === 50 || i > 200 ? undefined : 1);
    expect(runs).toBe(0);
  });

  test('never runs an accessor that a tree reads only when the first calls are over', () => {
    let runs = 0;
    const nested = Object.defineProperty({}, 'lazy', { get: () => ++runs, enumerable: true });
    const call = compile(read('t => t.row < 200 ? 0 : t.nested.lazy'), { mode });
    for (let row = 0; row < 300; row++) expect(call({ t: { row, nested } })).toBe(row < 200 ? 0 : undefined);
    expect(runs).toBe(0);
  });

  test('never runs an accessor that a function of the host gives in the first calls', () => {
    let runs = 0;
    const row = {
      get a() {
        return ++runs;
      },
    };
    const scope = { load: (id: number) => (id === 50 || id > 200 ? row : { a: 1 }) };
    const call = compile(read('id => @load(id).a'), { mode, scope });
    for (let id = 0; id < 500; id++) expect(call({ id })).toBe(id === 50 || id > 200 ? undefined : 1);
    expect(runs).toBe(0);
  });

  test('does not mind a proxy that the tree never reads', () => {
    const refuse = (): never => {
      throw new Error('ran');
    };
    const trap = new Proxy({}, { ownKeys: refuse, getOwnPropertyDescriptor: refuse, getPrototypeOf: refuse });
    expect(compile(read('t => t.row'), { mode })({ t: { row: 1, trap } })).toBe(1);
  });

  test('takes an accessor among the inputs for none, however often it is called', () => {
    let runs = 0;
    const params = {
      get t() {
        return ++runs;
      },
    };
    const call = compile(read('t => t === 1'), { mode });
    for (let i = 0; i < 300; i++)
      expect(() => call(params)).toThrow(expect.objectContaining({ code: 'eval.unboundParam' }));
    expect(runs).toBe(0);
  });

  test.each(['any', 'alike', 'plain'] as const)(
    'gives the same on its first call and on its 300th, with %s data',
    (data) => {
      const trees = [
        "t => t.title.toLowerCase().includes('log')",
        't => t.nested.deep ?? t.count + 1',
        't => t.missing?.more.and',
        't => t.list.map(x => x * t.count)',
        't => t.nothing.more',
        't => t.run',
        't => t.nested.toString',
        "t => t.list.some(x => x > 1) && t.list.includes(2) && ['a', 'LogIn'].includes(t.title)",
        't => t.items.filter(x => x.ok).length + t.items.find(x => x.ok)?.n + t.items.reduce((sum, x) => sum + x.n, 0)',
        't => t.items[1].n + t.items[7]?.n',
        't => t.model.secret ?? t.model.own',
        't => ({ a: t.count, b: [t.title], c: `${t.title}/${t.count}`, d: Math.abs(t.count - 5), e: -t.count })',
        't => !t.nothing && (t.nothing || t.title) === t.title',
      ].map(read);
      const model = Object.assign(Object.create({ secret: 1 }) as object, { own: 2 });
      const items = [withoutPrototype({ ok: false, n: 1 }), { ok: true, n: 2 }, withoutPrototype({ n: 3, ok: true })];
      const nested = { deep: null };
      const row = { title: 'LogIn', nested, count: 2, list: [1, 2], nothing: null, run: () => 1, items, model };
      const outcome = (run: () => unknown): unknown => {
        try {
          return run();
        } catch (error) {
          return { code: (error as { code: string }).code, path: (error as { path: string }).path };
        }
      };
      for (const tree of trees) {
        const expected = outcome(() => evaluate(tree, { params: { t: row } }));
        for (const shapes of [[row], [withoutPrototype(row)], [row, withoutPrototype(row), { more: 1, ...row }]]) {
          const call = compile(tree, { mode, data });
          for (let i = 0; i < 300; i++)
            expect(outcome(() => call({ t: shapes[i % shapes.length]! }))).toStrictEqual(expected);
        }
      }
    },
  );

  test('does not trust data that is too large to look through', () => {
    let runs = 0;
    const list = Array.from({ length: 2_000 }, (_, index) =>
      index === 1_500 ? Object.defineProperty({}, 'x', { get: () => (runs += 1) }) : { x: index },
    );
    const call = compile(read('t => t.at > 150 ? t.list[1500].x : 0'), { mode });
    for (let at = 0; at < 300; at++) call({ t: { at, list } });
    expect(runs).toBe(0);
  });

  test('finds what lies beyond the short texts', () => {
    const call = compile(read("t => t.title.toLowerCase().includes('login')"), { mode, data: 'plain' });
    expect(call({ t: { title: `${'x'.repeat(5_000)}LOGIN` } })).toBe(true);
    expect(call({ t: { title: `${'\u0130'.repeat(270)}LOGIN` } })).toBe(true);
    expect(call({ t: { title: 'x'.repeat(5_000) } })).toBe(false);
    expect(() => call({ t: { title: 5 } })).toThrow(
      expect.objectContaining({ code: 'call.denied', path: '/root/body/callee/object' }),
    );
  });
});
