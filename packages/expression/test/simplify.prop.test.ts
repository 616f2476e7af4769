import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Node, type Value, build, parseText, print, simplify } from '../src/index.ts';
import { row, tree } from './arbitrary-evaluation.ts';
import { type Outcome, outcomeOf } from './engines.ts';

const { binary, call, constant, lambda, logical, member, param, ternary, unary } = build;
const RUNS = Number(process.env['EXPRESSION_FUZZ_RUNS'] ?? draws(300, 5_000));

const codeOf = (outcome: Outcome): unknown => ('error' in outcome ? outcome.error : outcome);

test('what is simplified gives the same value or fails with the same code', () => {
  fc.assert(
    fc.property(tree, row, (body, t) => {
      const options = { params: { t, x: 3 }, scope: { captured: [1, 2, 'x'], host: (value: unknown) => value } };
      const expected = outcomeOf('evaluate', body, options);
      expect(codeOf(outcomeOf('evaluate', simplify(body), options))).toStrictEqual(codeOf(expected));
      const folded = simplify(body, { scope: options.scope });
      expect(codeOf(outcomeOf('evaluate', folded, options))).toStrictEqual(codeOf(expected));
      const known = simplify(body, { known: { x: 3 } });
      expect(codeOf(outcomeOf('evaluate', known, options))).toStrictEqual(codeOf(expected));
    }),
    { numRuns: RUNS },
  );
});

const t = param('t');
const cases: readonly (readonly [name: string, before: Node, after: Node, known?: Record<string, Value>])[] = [
  ['arithmetic of constants', binary('+', constant(1), binary('*', constant(2), constant(3))), constant(7)],
  ['a method of constants', call(member(constant('AB'), 'toLowerCase')), constant('ab')],
  ['what fails stays', member(constant(null), 'x'), member(constant(null), 'x')],
  ['true && x', logical('&&', constant(true), t), t],
  ['x && true keeps the value of x', logical('&&', t, constant(true)), logical('&&', t, constant(true))],
  [
    'x && true as a test',
    ternary(logical('&&', t, constant(true)), constant(1), constant(2)),
    ternary(t, constant(1), constant(2)),
  ],
  ['!!x as a test', ternary(unary('!', unary('!', t)), constant(1), constant(2)), ternary(t, constant(1), constant(2))],
  ['!!x is a boolean where its value counts', unary('!', unary('!', t)), unary('!', unary('!', t))],
  ['!(a === b)', unary('!', binary('===', t, constant(1))), binary('!==', t, constant(1))],
  ['a decided ternary', ternary(constant(0), t, constant(2)), constant(2)],
  [
    'a known input before a chain that may end',
    lambda(['t', 'x'], call(member(member(call(member(t, 'at'), [param('x')]), 'status', true), 'at'))),
    lambda(['t'], call(member(member(call(member(t, 'at'), [constant(3)]), 'status', true), 'at'))),
    { x: 3 },
  ],
  [
    'a known input in a chain that is decided',
    lambda(['x'], call(member(member(call(member(constant(''), 'at'), [param('x')]), 'status', true), 'at'))),
    lambda([], constant(undefined)),
    { x: 3 },
  ],
  [
    'a known input leaves the parameters',
    lambda(['t', 'who'], logical('&&', binary('===', param('who'), constant('me')), t)),
    lambda(['t'], t),
    { who: 'me' },
  ],
  [
    'a known input inside of a chain that must stay one',
    lambda(['x'], member(call(member(constant(''), 'at'), [param('x')], true), 'length')),
    lambda([], member(call(member(constant(''), 'at'), [constant(3)], true), 'length')),
    { x: 3 },
  ],
  [
    'a lambda hides a known name',
    call(lambda(['t'], logical('??', t, param('u'))), [t]),
    call(lambda(['t'], logical('??', t, param('u'))), [constant(1)]),
    { t: 1 },
  ],
];

describe('simplify', () => {
  test('folds what the scope decides, and keeps what is no primitive', () => {
    const scope = { viewer: { id: 7, roles: ['a'] }, f: (): never => expect.unreachable() };
    const texts: Readonly<Record<string, string>> = {
      't.owner === @viewer.id': 't.owner === 7',
      't.owner === @viewer.id + 1 && @viewer.id > 5': 't.owner === 8 && true',
      '@viewer.id > 9 && t.open': 'false',
      't.role of @viewer.roles': 't.role of @viewer.roles',
      '@viewer.roles === @viewer.roles': 'true',
      't.by === @viewer': 't.by === @viewer',
      '@f(1)': '@f(1)',
      'typeof @none': 'typeof @none',
      'x => @viewer.id + x': 'x => 7 + x',
    };
    for (const [before, after] of Object.entries(texts)) {
      const read = parseText(before);
      expect(read.ok && print(simplify(read.tree, { scope }))).toBe(after);
    }
  });

  test.each(cases.map(([name, before, after, known]) => ({ name, before, after, known })))(
    '$name',
    ({ before, after, known }) => {
      expect(simplify(before, { known })).toStrictEqual(after);
    },
  );
});
