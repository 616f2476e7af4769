import { describe, expect, test } from 'vitest';
import { type Catalogue, type Node, build, check, parseText } from '../index.ts';

const CATALOGUE: Catalogue = {
  fields: {
    status: { type: 'enum', values: ['passed', 'failed', 'skipped'] },
    cause: { type: 'enum', values: ['product', 'test'], nullable: true },
    retries: { type: 'number' },
    title: { type: 'string' },
    note: { type: 'string', nullable: true },
    duration: { type: 'duration' },
    flaky: { type: 'boolean' },
    startedAt: { type: 'date' },
    tags: { type: 'strings' },
    labels: { type: 'strings', nullable: true },
  },
};

const read = (text: string): Node => {
  const result = parseText(text, { spans: true });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
};
const codes = (text: string): string[] =>
  check(read(text), CATALOGUE).issues.map(({ code, path }) => `${code} ${path}`);

describe('types', () => {
  test.each([
    ["t => t.status === 'failed'", ['boolean']],
    ['t.title', ['string']],
    ['t.note', ['null', 'string']],
    ['t.note?.length', ['undefined', 'number']],
    ["t.note ?? ''", ['string']],
    ['t.duration / 1000', ['number']],
    ['t.title + t.retries', ['string']],
    ['t.tags', ['array']],
    ['t.tags[0]', ['undefined', 'string']],
    ['t.tags.filter(x => x.length > 1).length', ['number']],
    ['t.startedAt', ['date']],
    ['t.flaky ? 1 : null', ['null', 'number']],
    ['t.note && t.note.length', ['null', 'number', 'string']],
    ['`${t.title}`', ['string']],
    ['typeof t.note', ['string']],
    ['Math.max(t.retries, 1)', ['number']],
    ['String(t.retries)', ['string']],
    ['@String(t.retries)', ['unknown']],
    ["t.tags.join().split(',')", ['array']],
  ])('%s', (text, type) => {
    const checked = check(read(text), CATALOGUE);
    expect(checked.type).toEqual(type);
    expect(checked.issues).toEqual([]);
  });
});

describe('issues', () => {
  test('an unknown field with the nearest one and its span', () => {
    expect(check(read("t.stauts === 'failed'"), CATALOGUE).issues).toEqual([
      {
        code: 'field.unknown',
        path: '/root/left',
        span: { start: 0, end: 8 },
        message: 'There is no field "stauts"; did you mean "status"?',
        details: { name: 'stauts', nearest: 'status' },
      },
    ]);
  });

  test('an enum value that there is not, with the nearest one', () => {
    expect(check(read("t.status === 'fialed'"), CATALOGUE).issues).toMatchObject([
      { code: 'enum.unknownValue', path: '/root', details: { nearest: 'failed', value: 'fialed' } },
    ]);
    expect(codes("'fail' !== t.cause")).toEqual(['enum.unknownValue /root']);
    expect(codes("['passed', 'fail'].includes(t.status)")).toEqual(['enum.unknownValue /root']);
  });

  test.each([
    ['t.retries === "1"', ['compare.never /root']],
    ['t.title !== 1', ['compare.always /root']],
    ['t.title === null', ['compare.never /root']],
    ['t.note === undefined', ['compare.never /root']],
    ['t.retries === NaN', ['compare.never /root']],
    ['t.retries > "many"', ['compare.never /root']],
    ['t.retries > undefined', ['compare.never /root']],
    ['t.status === t.cause', ['compare.never /root']],
    ['t.startedAt === new Date(0)', ['compare.never /root']],
    ['t.startedAt > "yesterday"', ['compare.never /root']],
    ['t.startedAt > t.title', ['operand.type /root']],
    ['t.note <= t.startedAt', ['operand.type /root']],
    ['t.startedAt > null', []],
    ['"a" in t.title', ['in.notList /root']],
    ['"a" in t.labels', ['null.access /root']],
    ['t.retries > 5 && t.retries < 3', ['compare.contradiction /root/right']],
    ['t.retries > 5 && t.retries <= 5', ['compare.contradiction /root/right']],
    ["t.title === 'a' && t.title === 'b'", ['compare.contradiction /root/right']],
    ['3 < t.retries && t.retries === 3', ['compare.contradiction /root/right']],
    ['t.retries > 5 && t.retries < 3 && t.retries > 4', ['compare.contradiction /root/left/right']],
    ['t.startedAt > new Date(9) && t.startedAt <= new Date(5)', ['compare.contradiction /root/right']],
    ['t.note.length', ['null.access /root']],
    ['t.note.includes("a")', ['null.access /root/callee']],
    ['t.title.inclues("a")', ['call.unknownMethod /root/callee']],
    ['t.title.lenght', ['member.unknown /root']],
    ['t.title * 2', ['operand.type /root']],
    ['x.title', ['param.unknown /root/object']],
    ['t.titel()', ['field.unknown /root/callee']],
    ['t.tags.some(x => x.lenght > 1)', ['member.unknown /root/args/0/body/left']],
  ])('%s', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test.each([
    't.note !== null && t.note.length > 1',
    't.note === null || t.note.length > 1',
    't.note ? t.note.length : 0',
    "t.note?.toLowerCase().includes('a')",
    "typeof t.note === 'string' && t.note.length",
    't.cause === null',
    't.retries > "1"',
    't.retries >= 3 && t.retries <= 3',
    't.labels?.includes(t.title)',
    't.startedAt < new Date(0)',
    "t.status.slice(0, 4) === 'fail'",
    'Number.isInteger(t.duration) === true',
    't.tags.reduce((length, tag) => length * 2 + tag.length, 0) > 9',
    't.tags.toSorted((one, other) => one.length - other.length)[0]',
  ])('none in %s', (text) => {
    expect(codes(text)).toEqual([]);
  });

  test('no name is suggested where there is none', () => {
    expect(check(read('t.retries.length'), CATALOGUE).issues[0]?.message).toBe('number has no member "length"');
  });

  test('all of them, in order', () => {
    expect(codes("t.stauts === 'a' && t.status === 'a' && t.note.length > 0")).toEqual([
      'field.unknown /root/left/left/left',
      'enum.unknownValue /root/left/right',
      'null.access /root/right/left',
    ]);
  });

  test('membership in what is no list', () => {
    const tree = build.isIn(build.constant('a'), build.member(build.param('t'), 'title'));
    expect(check(tree, CATALOGUE).issues).toMatchObject([{ code: 'in.notList', path: '/root' }]);
  });
});

test('the cost grows with the tree, and with a list for a lambda over it', () => {
  const cost = (text: string): number => check(read(text), CATALOGUE).cost;
  expect(cost('t.flaky')).toBe(2);
  expect(cost('t.flaky && t.retries > 0')).toBeGreaterThan(cost('t.flaky'));
  expect(cost('t.tags.some(x => x === "a")')).toBeGreaterThan(cost('t.tags.includes("a")') * 3);
});

test('a tree that is far too deep is not looked into', () => {
  let deep: Node = build.constant(true);
  for (let depth = 0; depth < 20_000; depth++) deep = build.unary('!', deep);
  expect(check(deep, CATALOGUE).type).toEqual(['boolean']);
});
