import { build, type Node } from '../../src/index.ts';
import { type Attack, FEW_STEPS, error, value, text, t, method, raw, deep, nestedArray, cyclic } from './attack.ts';

const { arrayLit, binary, call, constant, global, lambda, param, spread, template } = build;

export const costly: readonly Attack[] = [
  {
    name: "'a'.repeat(1e9)",
    tree: method(text('a'), 'repeat', constant(1e9)),
    gets: error('limit.outputStringLength'),
  },
  { name: "'a'.repeat(Infinity)", tree: method(text('a'), 'repeat', constant(Infinity)), gets: error('eval.range') },
  {
    name: "'a'.padEnd(1e9)",
    tree: method(text('a'), 'padEnd', constant(1e9)),
    gets: error('limit.outputStringLength'),
  },
  {
    name: "'a'.padStart(2 ** 53, 'xy')",
    tree: method(text('a'), 'padStart', constant(2 ** 53), text('xy')),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling a text',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], binary('+', param('s'), param('s'))),
      text('x'),
    ),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling a text by templates',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], template(['', '', ''], [param('s'), param('s')])),
      text('x'),
    ),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'doubling a text by replaceAll',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], method(param('s'), 'replaceAll', text('x'), text('xx'))),
      text('x'),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'keeping many long texts',
    tree: method(
      constant(Array.from({ length: 500 }, (_, at) => at)),
      'map',
      lambda(['n'], binary('+', method(text('中'), 'repeat', constant(1_000_000)), param('n'))),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'replaceAll with what stands before',
    tree: method(method(text('x'), 'repeat', constant(60_000)), 'replaceAll', text('x'), text('$`')),
    gets: error('limit.outputStringLength'),
  },
  {
    name: 'joining nothing by a long text gives no steps back',
    tree: method(
      constant(Array.from({ length: 1_000 }, () => 0)),
      'some',
      lambda(
        [],
        method(
          constant(Array.from({ length: 1_000 }, () => 0)),
          'some',
          lambda([], method(arrayLit([]), 'join', text('x'.repeat(60_000)))),
        ),
      ),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'doubling an array',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], method(param('s'), 'concat', param('s'))),
      constant([1]),
    ),
    limits: { outputArrayLength: 1_000 },
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'doubling an array by spread',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], arrayLit([spread(param('s')), spread(param('s'))])),
      constant([1]),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'nested arrays that share, flattened',
    tree: method(
      method(
        constant(Array.from({ length: 24 }, () => 0)),
        'reduce',
        lambda(['s'], arrayLit([param('s'), param('s')])),
        constant([1]),
      ),
      'flat',
      constant(Infinity),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'nested arrays that share, as a text',
    tree: binary(
      '+',
      text(''),
      method(
        constant(Array.from({ length: 24 }, () => 0)),
        'reduce',
        lambda(['s'], arrayLit([param('s'), param('s')])),
        constant([1]),
      ),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'loops in loops',
    tree: [1, 2, 3, 4].reduce(
      (body): Node => method(constant(Array.from({ length: 60 }, () => 0)), 'map', lambda(['x'], body)),
      constant(1) as Node,
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'a comparator that never settles',
    tree: method(
      method(constant(Array.from({ length: 1000 }, (_, at) => at)), 'toSorted', lambda(['a', 'b'], constant(1))),
      'toSorted',
      lambda(['a', 'b'], binary('-', param('a'), param('b'))),
    ),
    gets: value(Array.from({ length: 1000 }, (_, at) => at)),
  },
  {
    name: 'a sparse array of 2 ** 32 - 1',
    tree: method(t, 'map', lambda([], constant(1))),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'a sparse array, searched',
    tree: method(t, 'includes', constant(1)),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.steps'),
  },
  {
    name: 'a sparse array, joined',
    tree: method(t, 'join'),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.steps'),
  },
  {
    name: 'a sparse array, tested',
    tree: method(t, 'every', lambda([], constant(true))),
    params: { t: Object.assign([], { length: 2 ** 32 - 1 }) },
    gets: error('limit.steps'),
  },
  {
    name: '10n ** 1000000000n',
    tree: binary('**', constant(10n), constant(10n ** 9n)),
    gets: error('limit.bigintDigits'),
  },
  { name: '(-1n) ** a huge power', tree: binary('**', constant(-1n), constant(10n ** 30n + 1n)), gets: value(-1n) },
  { name: '2n ** -1n', tree: binary('**', constant(2n), constant(-1n)), gets: error('eval.range') },
  {
    name: 'squaring a bigint again and again',
    tree: method(
      constant(Array.from({ length: 40 }, () => 0)),
      'reduce',
      lambda(['s'], binary('*', param('s'), param('s'))),
      constant(7n),
    ),
    gets: error('limit.bigintDigits'),
  },
  {
    name: "BigInt('9'.repeat(1e5))",
    tree: call(global('BigInt'), [method(text('9'), 'repeat', constant(1e5))]),
    gets: error('limit.bigintDigits'),
  },
  {
    name: 'BigInt.asUintN(1e9, -1n)',
    tree: method(global('BigInt'), 'asUintN', constant(1e9), constant(-1n)),
    gets: error('eval.range'),
  },
  { name: '10 ** 1e9', tree: binary('**', constant(10), constant(1e9)), gets: value(Infinity) },
  { name: '1n / 0n', tree: binary('/', constant(1n), constant(0n)), gets: error('eval.range') },
  {
    name: 'JSON.parse of nested arrays',
    tree: method(global('JSON'), 'parse', method(text('['), 'repeat', constant(1e5))),
    gets: error('eval.syntax'),
  },
  {
    name: 'JSON.parse of nested arrays that close',
    tree: method(
      global('JSON'),
      'parse',
      binary('+', method(text('['), 'repeat', constant(5000)), method(text(']'), 'repeat', constant(5000))),
    ),
    gets: error('limit.depth'),
  },
  {
    name: 'JSON.parse of a wide array',
    tree: method(
      global('JSON'),
      'parse',
      binary('+', binary('+', text('['), method(text('0,'), 'repeat', constant(1.02e5))), text('0]')),
    ),
    gets: error('limit.outputArrayLength'),
  },
  {
    name: 'JSON.stringify of deep data',
    tree: method(global('JSON'), 'stringify', t),
    params: { t: nestedArray(5000) },
    gets: error('limit.depth'),
  },
  {
    name: 'JSON.stringify of a cycle',
    tree: method(global('JSON'), 'stringify', t),
    params: { t: cyclic },
    gets: error('limit.depth'),
  },
  { name: 'a cycle as a text', tree: binary('+', text(''), t), params: { t: cyclic }, gets: error('limit.depth') },
  {
    name: 'a cycle, flattened',
    tree: method(t, 'flat', constant(Infinity)),
    params: { t: cyclic },
    gets: error('limit.depth'),
  },
  {
    name: 'deep data as a text',
    tree: template(['', ''], [t]),
    params: { t: nestedArray(50_000) },
    gets: error('limit.depth'),
  },
  { name: 'a tree 100,000 deep', tree: deep(100_000), gets: error('limit.depth') },
  {
    name: 'a constant 100,000 deep',
    tree: raw({ kind: 'Constant', value: nestedArray(100_000) }),
    gets: error('limit.depth'),
  },
  { name: 'a tree at the limit', tree: deep(255), gets: value(-1) },
  {
    name: 'a tree with too many nodes by sharing',
    tree: ((): Node => {
      let node: Node = constant(1);
      for (let level = 0; level < 30; level++) node = { kind: 'Binary', op: '+', left: node, right: node };
      return node;
    })(),
    gets: error('limit.nodes'),
  },
  {
    name: 'lambdas too deep',
    tree: Array.from({ length: 9 }).reduce<Node>((body) => call(lambda([], body)), constant(1)),
    gets: error('limit.lambdaNesting'),
  },
  {
    name: 'searching for half of a long text',
    tree: method(
      method(text('a'), 'repeat', constant(1e6)),
      'includes',
      binary('+', method(text('a'), 'repeat', constant(5e5)), text('b')),
    ),
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
  {
    name: 'a regular expression of a stranger',
    tree: method(constant(/(a+)+$/), 'test', text('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')),
    gets: error('call.denied'),
  },
  {
    name: 'a regular expression as a separator',
    tree: method(text('aaa'), 'split', constant(/(a+)+$/)),
    gets: error('eval.type'),
  },
  { name: "RegExp('…')", tree: call(global('RegExp'), [text('(a+)+$')]), gets: error('call.denied') },
  { name: "'a'.match(…)", tree: method(text('a'), 'match', text('(a+)+$')), gets: error('call.denied') },
  { name: 'Math.random()', tree: method(global('Math'), 'random'), gets: error('call.denied') },
  { name: 'Date.now() without a clock', tree: method(global('Date'), 'now'), gets: error('call.denied') },
  { name: 'Date()', tree: call(global('Date')), gets: error('call.denied') },
  { name: 'an invalid Date', tree: method(t, 'toISOString'), params: { t: new Date(NaN) }, gets: error('eval.range') },
  { name: 'a method that writes', tree: method(t, 'push', constant(1)), params: { t: [] }, gets: error('call.denied') },
  { name: 'sorting in place', tree: method(t, 'sort'), params: { t: [2, 1] }, gets: error('call.denied') },
  {
    name: 'the time zone of the host',
    tree: method(t, 'getTimezoneOffset'),
    params: { t: new Date(0) },
    gets: value(0),
  },
  { name: 'the locale of the host', tree: method(constant(1.5), 'toLocaleString'), gets: error('call.denied') },
];
