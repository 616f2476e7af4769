import { build, type Node } from '../../src/index.ts';
import { type Attack, FEW_STEPS, error, method, t } from './attack.ts';

const { binary, call, constant, global, index, lambda, param, template, unary } = build;

const s = param('s');
const long = '1'.repeat(1_000_000);
const forEach = (body: Node): Node => method(t, 'map', lambda(['x'], body));
const rows = (count: number, fill: unknown = 0): unknown[] => Array.from({ length: count }, () => fill);
const spent = (name: string, tree: Node, count: number, given: unknown = long): Attack => ({
  name,
  tree,
  params: { t: rows(count), s: given },
  limits: FEW_STEPS,
  gets: error('limit.steps'),
});

let shared: unknown[] = [1];
for (let level = 0; level < 40; level++) shared = [shared, shared];
const dated = [...rows(999), new Date(0)];
const almost = `${long.slice(1)}2`;

/** Work that takes long for a step unless its size is charged. */
export const slowWork: readonly Attack[] = [
  spent('reading a long text as an integer', forEach(method(global('Number'), 'parseInt', s)), 40),
  spent('reading a long text as a decimal', forEach(method(global('Number'), 'parseFloat', s)), 40),
  spent('converting a long text to a number', forEach(unary('+', s)), 40),
  spent('a long text in upper case', forEach(method(s, 'toUpperCase')), 40),
  spent('a long text trimmed', forEach(method(s, 'trim')), 40),
  spent('a long text normalised', forEach(method(s, 'normalize')), 40),
  spent('a long text as JSON', forEach(method(global('JSON'), 'stringify', s)), 40),
  spent(
    'JSON with one key again and again',
    forEach(method(global('JSON'), 'parse', s)),
    40,
    `{${'"a":1,'.repeat(170_000)}"a":1}`,
  ),
  spent('a long text as a key', forEach(binary('in', s, t)), 40),
  spent('a long text as an index', forEach(index(t, s)), 40),
  spent('a long text as a name', forEach(method(global('Object'), 'hasOwn', t, s)), 40),
  spent('a bigint beside a long text', forEach(binary('<', constant(1n), s)), 40),
  spent('a large bigint as a text', forEach(call(global('String'), [s])), 3_000, 10n ** 999n),
  spent('a text as a large bigint', forEach(call(global('BigInt'), [s])), 3_000, long.slice(0, 1000)),
  spent('a number with a hundred digits', forEach(method(constant(1.7e308), 'toPrecision', constant(100))), 8_000),
  spent('a constant that every use copies', forEach(unary('!', constant(dated as never))), 150),
  spent('regular expressions that every use copies', forEach(unary('!', constant(rows(900, /a/) as never))), 900),
  spent('a template filled at every character', method(s, 'replaceAll', constant(''), constant('$&'.repeat(31))), 0),
  spent(
    'characters that become eighteen when they are normalised',
    forEach(method(method(constant('\ufdfa'), 'repeat', constant(55_000)), 'normalize', constant('NFKD'))),
    40,
  ),
  spent(
    'sorting short texts',
    forEach(method(s, 'toSorted')),
    30,
    rows(200).map((_, at) => `text ${(at * 7) % 200}`),
  ),
  spent('the text of arrays that share', template(['', ''], [s]), 0, shared),
  spent('arrays that share as JSON', method(global('JSON'), 'stringify', s), 0, shared),
  ...(['includes', 'indexOf', 'lastIndexOf'] as const).map((name) =>
    spent(
      `${name} of a part that the text almost has everywhere`,
      forEach(method(s, name, constant(`${'1'.repeat(400)}2${'1'.repeat(400)}`))),
      40,
    ),
  ),
  spent(
    'a long regular expression that every use copies',
    forEach(unary('!', constant(new RegExp('a'.repeat(500))))),
    3_000,
  ),
  ...(['includes', 'indexOf', 'lastIndexOf'] as const).map((name): Attack => ({
    name: `${name} of a long text among others`,
    tree: method(t, name, s),
    params: { t: rows(200, long), s: almost },
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  })),
  {
    name: 'sorting long texts',
    tree: method(t, 'toSorted'),
    params: { t: rows(40).map((_, at) => (at % 2 === 0 ? long : almost)) },
    limits: FEW_STEPS,
    gets: error('limit.steps'),
  },
];
