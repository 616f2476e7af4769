import fc from 'fast-check';
import { BINARY_OPERATORS, LOGICAL_OPERATORS, type Node, UNARY_OPERATORS } from '../src/index.ts';

const STRING_METHODS = [
  'at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf normalize padEnd padStart repeat',
  'replace replaceAll slice split startsWith substring toLowerCase toString toUpperCase trim trimEnd trimStart valueOf',
  'isWellFormed toWellFormed constructor foo',
].flatMap((line) => line.split(' '));
const ARRAY_METHODS = [
  'at concat flat includes indexOf join lastIndexOf slice toReversed toSorted toSpliced toString with push',
].flatMap((line) => line.split(' '));
const OTHER_METHODS = 'toFixed toPrecision toString valueOf getTime getUTCDay toISOString toJSON test'.split(' ');
const LAMBDA_METHODS =
  'every filter find findIndex findLast findLastIndex flatMap map reduce reduceRight some toSorted'.split(' ');
const STATICS = [
  ['Math', 'abs floor max min pow round sign random'],
  ['Number', 'isInteger isNaN parseInt parseFloat'],
  ['String', 'fromCharCode fromCodePoint'],
  ['Object', 'keys values entries is hasOwn create'],
  ['Array', 'isArray of from'],
  ['JSON', 'stringify parse'],
  ['Date', 'UTC parse now'],
  ['BigInt', 'asIntN'],
].flatMap(([name, methods]) => methods!.split(' ').map((method) => [name!, method] as const));

const FIELDS = [
  'status',
  'title',
  'retries',
  'nested',
  'list',
  'when',
  'missing',
  'fn',
  'getter',
  'constructor',
  'length',
];

const primitive = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    false,
    NaN,
    Infinity,
    -0,
    0,
    1,
    2.5,
    -3,
    '',
    'a',
    'Login',
    '10',
    'é\u{1f600}',
  ),
  fc.integer({ min: -5, max: 40 }),
  fc.bigInt({ min: -9n, max: 9n }),
  fc.string({ maxLength: 6 }),
);

const data = fc.oneof(
  { weight: 6, arbitrary: primitive },
  { weight: 1, arbitrary: fc.array(primitive, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(new Date(0), new Date(1e12), new Date(NaN), /a+/gi, [[1, [2]], 3]) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      fc.constantFrom(...FIELDS.filter((name) => name !== 'fn' && name !== 'constructor')),
      primitive,
      { maxKeys: 3 },
    ),
  },
);

/** A row with what data may hold and what it should not. */
export const row = fc
  .record(
    {
      status: primitive,
      title: fc.oneof(fc.string({ maxLength: 12 }), primitive),
      retries: fc.oneof(fc.integer(), primitive),
      nested: fc.oneof(data, fc.constant({ status: 'failed', list: [1, 'x', null] })),
      list: fc.oneof(fc.array(data, { maxLength: 5 }), data),
      when: data,
    },
    { requiredKeys: [] },
  )
  .map((given): Record<string, unknown> => ({ ...given, fn: () => 1 }));

const params = fc.constantFrom('t', 'x', 'y', 'free');

export const { tree } = fc.letrec<{ tree: Node; lambda: Node; leaf: Node }>((tie) => {
  const flag = fc.boolean().map((optional) => (optional ? { optional: true as const } : {}));
  const sub = tie('tree');
  const args = fc.array(sub, { maxLength: 2 });
  const method = (
    names: readonly string[],
    object: fc.Arbitrary<Node>,
    given: fc.Arbitrary<Node[]>,
  ): fc.Arbitrary<Node> =>
    fc.tuple(object, fc.constantFrom(...names), given, flag, flag).map(([base, prop, list, inner, outer]) => ({
      kind: 'Call',
      callee: { kind: 'Member', object: base, prop, ...inner },
      args: list,
      ...outer,
    }));
  const global = (name: string): Node => ({ kind: 'Capture', name, global: true });
  return {
    leaf: fc.oneof(
      { weight: 4, arbitrary: data.map((value) => ({ kind: 'Constant', value }) as Node) },
      { weight: 3, arbitrary: params.map((name): Node => ({ kind: 'Param', name })) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('captured', 'absent', 'host').map((name): Node => ({ kind: 'Capture', name })),
      },
      { weight: 1, arbitrary: fc.constantFrom('NaN', 'undefined', 'Math').map(global) },
    ),
    lambda: fc
      .tuple(fc.uniqueArray(params, { maxLength: 2 }), sub)
      .map(([names, body]): Node => ({ kind: 'Lambda', params: names, body })),
    tree: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'tree' },
      { weight: 2, arbitrary: tie('leaf') },
      {
        weight: 4,
        arbitrary: fc
          .tuple(sub, fc.constantFrom(...FIELDS), flag)
          .map(([object, prop, optional]): Node => ({ kind: 'Member', object, prop, ...optional })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(sub, sub, flag)
          .map(([object, index, optional]): Node => ({ kind: 'Index', object, index, ...optional })),
      },
      { weight: 2, arbitrary: method([...STRING_METHODS, ...OTHER_METHODS], sub, args) },
      {
        weight: 2,
        arbitrary: method(
          STRING_METHODS,
          fc.string({ maxLength: 8 }).map((value): Node => ({ kind: 'Constant', value })),
          args,
        ),
      },
      {
        weight: 2,
        arbitrary: method(
          ARRAY_METHODS,
          fc.array(sub, { maxLength: 3 }).map((elements): Node => ({ kind: 'ArrayLit', elements })),
          args,
        ),
      },
      {
        weight: 3,
        arbitrary: method(
          LAMBDA_METHODS,
          fc.array(sub, { maxLength: 3 }).map((elements): Node => ({ kind: 'ArrayLit', elements })),
          fc.tuple(tie('lambda')).map(([one]) => [one]),
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom(...STATICS), args).map(([[name, prop], list]): Node => ({
          kind: 'Call',
          callee: { kind: 'Member', object: global(name), prop },
          args: list,
        })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('String', 'Number', 'Boolean', 'BigInt'), args)
          .map(([name, list]): Node => ({ kind: 'Call', callee: global(name), args: list })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('host', 'absent', 'captured'), args, flag)
          .map(([name, list, optional]): Node => ({
            kind: 'Call',
            callee: { kind: 'Capture', name },
            args: list,
            ...optional,
          })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(tie('lambda'), args).map(([callee, list]): Node => ({ kind: 'Call', callee, args: list })),
      },
      {
        weight: 6,
        arbitrary: fc
          .tuple(fc.constantFrom(...BINARY_OPERATORS.filter((op) => op !== 'instanceof')), sub, sub)
          .map(([op, left, right]): Node => ({ kind: 'Binary', op, left, right })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(sub, fc.constantFrom('Date', 'Array', 'Object', 'RegExp', 'Math'))
          .map(([left, name]): Node => ({ kind: 'Binary', op: 'instanceof', left, right: global(name) })),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...LOGICAL_OPERATORS), sub, sub)
          .map(([op, left, right]): Node => ({ kind: 'Logical', op, left, right })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...UNARY_OPERATORS), sub)
          .map(([op, operand]): Node => ({ kind: 'Unary', op, operand })),
      },
      { weight: 1, arbitrary: fc.tuple(sub, sub, sub).map(([test, yes, no]) => ternary(test, yes, no)) },
      {
        weight: 1,
        arbitrary: fc.tuple(sub, sub).map((exprs): Node => ({ kind: 'Template', quasis: ['<', '|', '>'], exprs })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(sub, sub).map(([value, spread]): Node => ({
          kind: 'ObjectLit',
          props: [{ key: 'status', value }, { spread }, { key: 'a', value }],
        })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(sub, sub).map(([one, spread]): Node => ({ kind: 'ArrayLit', elements: [one, { spread }] })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(sub, sub).map(([needle, haystack]): Node => ({ kind: 'In', needle, haystack })),
      },
      { weight: 1, arbitrary: tie('lambda') },
    ),
  };
});

// oxlint-disable-next-line unicorn/no-thenable -- the format names it so
const ternary = (test: Node, yes: Node, no: Node): Node => ({ kind: 'Ternary', test, then: yes, else: no });
