import { describe, expect, test } from 'vitest';
import { LAMBDA_METHODS } from '../evaluate/library/array.ts';
import { GLOBAL_FUNCTIONS } from '../evaluate/library/globals.ts';
import { METHODS } from '../evaluate/library/methods.ts';
import { typeOf } from '../evaluate/value.ts';
import { type Catalogue, type Node, build, check, evaluate, parseText } from '../index.ts';
import { GLOBAL_RESULTS, METHOD_RESULTS } from './results.ts';

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
    author: {
      type: 'object',
      fields: { name: { type: 'string' }, team: { type: 'string', nullable: true }, age: { type: 'number' } },
    },
    steps: { type: 'list', items: { type: 'object', fields: { ms: { type: 'number' } } } },
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
    ['t.author.name', ['string']],
    ["t.author['age'] + 1", ['number']],
    ['t.author.team', ['unknown']],
    ['t.steps.some(x => x.ms > 1)', ['boolean']],
    ['t.steps.map(x => x.ms)[0]', ['undefined', 'number']],
    ['t.tags.at(-1)', ['undefined', 'string']],
    ['t.tags.map(x => x.length)[0]', ['undefined', 'number']],
    ['t.tags.map(x => x.length).find(n => n > 1)', ['undefined', 'number']],
    ['t.title.at(0)', ['undefined', 'string']],
    ['t.startedAt.getHours() + Math.PI', ['number']],
    ['Object.keys({ a: 1 })', ['array']],
    ['@any.includes("a")', ['boolean']],
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
    ['t.author.nmae', ['field.unknown /root']],
    ['t.author.name.lenght', ['member.unknown /root']],
    ['t.steps.some(x => x.sm > 1)', ['field.unknown /root/args/0/body/left']],
    ['Math.foo()', ['call.unknownFunction /root']],
    ['Math.random() > 0.5', ['call.unknownFunction /root/left']],
    ['Math["flor"](t.retries)', ['call.unknownFunction /root']],
    ['Date()', ['call.noFunction /root']],
    ['t()', ['call.noFunction /root']],
    ['t.tags[t.title]()', ['call.noFunction /root']],
    ['t => t => t', ['lambda.noValue /root/body']],
    ['t.flaky && (x => x)', ['lambda.noValue /root/right']],
    ['t.title.includes(x => x)', ['lambda.noValue /root/args/0']],
    ['t.tags.some("a")', ['lambda.missing /root']],
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
    '((x) => x + 1)(t.retries) > 1',
    't.tags.toSorted()[0]',
    '@isMine(t.title)',
    't.tags.toSorted((one, other) => one.length - other.length)[0]',
  ])('none in %s', (text) => {
    expect(codes(text)).toEqual([]);
  });

  test('no name is suggested where there is none', () => {
    expect(check(read('t.retries.length'), CATALOGUE).issues[0]?.message).toBe('number has no member "length"');
  });

  test('a function that there is not, with the nearest one', () => {
    expect(check(read('Math.flor(t.retries)'), CATALOGUE).issues).toMatchObject([
      {
        code: 'call.unknownFunction',
        message: 'Math has no function "flor"; did you mean "floor"?',
        details: { name: 'flor', nearest: 'floor' },
      },
    ]);
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

test('every method and global function that can be called has a type of result', () => {
  for (const [type, methods] of Object.entries(METHODS))
    expect([...METHOD_RESULTS[type]!.keys()].toSorted(), type).toEqual([...methods.keys()].toSorted());
  expect([...GLOBAL_RESULTS.keys()].toSorted()).toEqual([...GLOBAL_FUNCTIONS.keys()].toSorted());
});

test('every method gives what the check says that it gives', () => {
  const receivers = { string: 'aba', strings: ['a'], number: 1.5, date: new Date(0) } as const;
  for (const [type, of] of Object.entries(receivers))
    for (const name of METHODS[typeOf(of)]!.keys()) {
      const takesLambda = type === 'strings' && LAMBDA_METHODS.has(name);
      const args = takesLambda ? 'x => x' : type === 'number' || name === 'normalize' ? '' : '"a", "b"';
      const tree = read(`t.of.${name}(${args})`);
      const made = evaluate(tree, { params: { t: { of } } });
      const said = check(tree, { fields: { of: { type: type as keyof typeof receivers } } }).type;
      expect(said.includes('unknown') || said.includes(typeOf(made)), `${type} ${name}: ${said.join()}`).toBe(true);
    }
});

test.each([
  't.flaky',
  't.flaky && t.retries > 0',
  't => t.title.toLowerCase().includes("a") && Math.abs(t.retries - 1) < 2',
  't => ({ a: [t.title, `${t.title}!`] })',
  't => ((x) => x + 1)(t.retries) > 1',
  't => t.tags.some(x => x === "b")',
  't => t.tags.filter(x => x.startsWith("b")).length > 0 || t.flaky',
])('the cost of %s is what its evaluation takes, if lists have 20 elements', (text) => {
  const tree = read(text);
  const { cost } = check(tree, CATALOGUE);
  const t = { flaky: 'yes', retries: 1, title: 'a', tags: Array.from({ length: 20 }, () => 'a') };
  expect(() => evaluate(tree, { params: { t }, limits: { steps: cost } })).not.toThrow();
  expect(() => evaluate(tree, { params: { t }, limits: { steps: cost - 1 } })).toThrow(/steps/);
});

test('a tree that is far too deep is not looked into', () => {
  let deep: Node = build.constant(true);
  for (let depth = 0; depth < 20_000; depth++) deep = build.unary('!', deep);
  expect(check(deep, CATALOGUE).type).toEqual(['boolean']);
});
