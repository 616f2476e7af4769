import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { build, type Node, type Value } from '../src/index.ts';
import { BINARY_OPERATORS, LOGICAL_OPERATORS, type Spread, UNARY_OPERATORS } from '../src/tree/node.ts';

const KEYWORDS = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'kind',
  'value',
  'spread',
  '$tag',
  'length',
  '0',
  '10',
  '',
];

/** Reserved words of JavaScript, and words that mean something in a text of an expression. */
export const WORDS = (
  'arguments as async await break case catch class const continue debugger default delete do else enum eval export ' +
  'extends false finally for function if implements import in instanceof interface let new null of package private ' +
  'protected public return static super switch this throw true try typeof var void while with yield ' +
  'undefined NaN Infinity Math Number String Boolean BigInt Array Object Date JSON RegExp AND OR NOT'
).split(' ');

/** Any text but `__proto__`: identifiers, words that mean something elsewhere, unicode, lone surrogates. */
const nameArbitrary: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom('t', 'x', 'status', 'retries', 'title', 'ünïcode', '日本') },
    fc.constantFrom(...KEYWORDS, ...WORDS),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
    fc.constantFrom('\ud800', 'a\udc00', '\u2028', '"', '\\', '\n', '~/'),
  )
  .filter((name) => name !== '__proto__');

/** Without backslashes: once `JSON.parse` of V8 has seen the key `\\`, it misreads others (nodejs/node#63785). */
const keyArbitrary = nameArbitrary.filter((name) => !name.includes('\\'));

const REGEXPS = [/a/, /^[a-z]+$/i, /\//g, /(?:)/, /\p{L}/u, /[\p{L}--[a-z]]/v, /a.b/s, /x/y, /\n"/dm];

const scalarArbitrary: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(undefined, null, true, false, '', 0, -0, 1, Number.NaN, Infinity, -Infinity),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, Number.MAX_VALUE, 1e21, 1e-7, 0.1, 2 ** 53),
  fc.integer(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }),
  nameArbitrary,
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(new Date(0), new Date(8.64e15), new Date(-8.64e15), new Date('0001-01-01T00:00:00.001Z')),
  fc.constantFrom(...REGEXPS),
);

/** Every value that a constant can hold, also data that looks like a wrapper. */
export const valueArbitrary: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 4, arbitrary: scalarArbitrary },
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keyArbitrary, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.record({ $tag: fc.constantFrom('date', 'bigint', 'regexp', 'undefined', 'number', 'other'), iso: tie('value') }),
  ),
})).value;

interface Ties {
  node: Node;
  item: Node | Spread;
}

/** Trees of every kind that `parseEnvelope` reads: also global objects where they may stand. */
export const treeArbitrary: fc.Arbitrary<Node> = fc.letrec<Ties>((tie: fc.LetrecTypedTie<Ties>) => {
  const node = tie('node');
  const leaf: fc.Arbitrary<Node> = fc.oneof(
    { weight: 3, arbitrary: nameArbitrary.map(build.param) },
    nameArbitrary.map(build.capture),
    fc.constantFrom('undefined' as const, 'NaN' as const, 'Infinity' as const).map(build.global),
    { weight: 4, arbitrary: valueArbitrary.map(build.constant) },
  );
  const args = fc.array(node, { maxLength: 3 });
  const objects = fc.constantFrom(
    'Math',
    'Number',
    'String',
    'Date',
    'JSON',
    'Object',
    'Array',
    'BigInt',
  ) as fc.Arbitrary<'Math'>;
  const globalCallee = fc.oneof(
    objects.map(build.global),
    fc.tuple(objects, nameArbitrary).map(([name, prop]) => build.member(build.global(name), prop)),
    fc.tuple(objects, nameArbitrary).map(([name, prop]) => build.index(build.global(name), build.constant(prop))),
  );
  return {
    item: fc.oneof({ weight: 3, arbitrary: node }, node.map(build.spread)),
    node: fc.oneof(
      { maxDepth: 7, depthSize: 'medium' },
      { weight: 3, arbitrary: leaf },
      fc.tuple(node, nameArbitrary, fc.boolean()).map((a) => build.member(...a)),
      fc.tuple(node, node, fc.boolean()).map((a) => build.index(...a)),
      fc.tuple(fc.oneof({ weight: 3, arbitrary: node }, globalCallee), args, fc.boolean()).map((a) => build.call(...a)),
      fc.tuple(fc.constantFrom(...BINARY_OPERATORS), node, node).map((a) => build.binary(...a)),
      fc.tuple(node, objects).map(([left, name]) => build.binary('instanceof', left, build.global(name))),
      fc.tuple(fc.constantFrom(...LOGICAL_OPERATORS), node, node).map((a) => build.logical(...a)),
      fc.tuple(fc.constantFrom(...UNARY_OPERATORS), node).map((a) => build.unary(...a)),
      fc.tuple(node, node, node).map((a) => build.ternary(...a)),
      fc.array(fc.tuple(node, nameArbitrary), { maxLength: 3 }).map((parts) =>
        build.template(
          ['', ...parts.map(([, text]) => text)],
          parts.map(([expr]) => expr),
        ),
      ),
      fc
        .array(
          fc.oneof(
            { weight: 3, arbitrary: fc.tuple(nameArbitrary, node).map(([key, value]) => build.property(key, value)) },
            node.map(build.spread),
          ),
          { maxLength: 4 },
        )
        .map(build.objectLit),
      fc.array(tie('item'), { maxLength: 4 }).map(build.arrayLit),
      fc.tuple(fc.uniqueArray(nameArbitrary, { maxLength: 3 }), node).map((a) => build.lambda(...a)),
      fc.tuple(node, node).map((a) => build.isIn(...a)),
    ),
  };
}).node;
