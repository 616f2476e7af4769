import fc from 'fast-check';
import { build } from '../../src/index.ts';
import type { Node } from '../../src/index.ts';
import { NUMBERS, TIMES, numberArbitrary, textArbitrary } from './sample.ts';

const row = build.param('t');
const field = (path: string): Node =>
  path.split('.').reduce<Node>((object, name) => build.member(object, name.replace('?', ''), name.endsWith('?')), row);
const fields = (...names: string[]): fc.Arbitrary<Node> => fc.constantFrom(...names.map(field));
const call = (object: Node, name: string, args: Node[], optional = false): Node =>
  build.call(build.member(object, name, optional), args);
const constants = <T extends string | number | boolean | null | undefined>(
  values: fc.Arbitrary<T>,
): fc.Arbitrary<Node> => values.map((value) => build.constant(value));

interface Ties {
  condition: Node;
  text: Node;
  number: Node;
  time: Node;
  any: Node;
}

/** Predicates whose parts have the types of the catalogue, and now and then not. */
export const predicateArbitrary: fc.Arbitrary<Node> = fc.letrec<Ties>((tie: fc.LetrecTypedTie<Ties>) => {
  const [condition, text, number, time, any] = [tie('condition'), tie('text'), tie('number'), tie('time'), tie('any')];
  const choice = (part: fc.Arbitrary<Node>): fc.Arbitrary<Node>[] => [
    fc.tuple(condition, part, part).map(([test, then, otherwise]) => build.ternary(test, then, otherwise)),
    fc.tuple(fc.constantFrom('&&', '||', '??'), part, part).map(([op, left, right]) => build.logical(op, left, right)),
  ];
  const optional = fc.boolean();
  const sizes = { maxDepth: 4, depthSize: 'small' } as const;
  const texts = fields(
    'title',
    'note',
    'status',
    'cause',
    'author.name',
    'author.team',
    'author.boss.name?',
    'reviewer.name?',
  );
  const textOrField = fc.oneof({ weight: 2, arbitrary: texts }, text);
  const lists = fields('tags', 'labels', 'author.tags');
  return {
    text: fc.oneof(
      sizes,
      { weight: 6, arbitrary: texts },
      { weight: 4, arbitrary: constants(textArbitrary) },
      fc.tuple(textOrField, optional).map(([object, short]) => call(object, 'toLowerCase', [], short)),
      fc.tuple(text, any).map(([left, right]) => build.binary('+', left, right)),
      fc.tuple(textArbitrary, any, textArbitrary).map(([a, b, c]) => build.template([a, c], [b])),
      any.map((operand) => build.unary('typeof', operand)),
      ...choice(text),
    ),
    number: fc.oneof(
      sizes,
      { weight: 6, arbitrary: fields('duration', 'retries', 'ratio', 'attempts', 'exit', 'author.age') },
      { weight: 4, arbitrary: constants(numberArbitrary) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom('+', '-', '*', '/', '%'), number, number)
          .map(([op, left, right]) => build.binary(op, left, right)),
      },
      fc.tuple(fc.constantFrom('-', '+'), number).map(([op, operand]) => build.unary(op, operand)),
      fc
        .tuple(fc.oneof(textOrField, lists, fields('scores', 'steps')), optional)
        .map(([object, short]) => build.member(object, 'length', short)),
      fc.tuple(time, optional).map(([object, short]) => call(object, 'getTime', [], short)),
      number.map((operand) => build.call(build.member(build.global('Math'), 'abs'), [operand])),
      ...choice(number),
    ),
    time: fc.oneof(
      sizes,
      { weight: 4, arbitrary: fields('startedAt', 'endedAt', 'updatedAt', 'closedAt', 'author.since') },
      fc.constantFrom(...TIMES).map((at) => build.constant(new Date(at))),
    ),
    any: fc.oneof(
      sizes,
      text,
      number,
      time,
      condition,
      fields('flaky', 'muted', 'tags', 'labels', 'author', 'reviewer', 'author.admin', 'author.boss', 'scores'),
      constants(fc.constantFrom(null, undefined, true, false, NaN, Infinity, '', 0)),
      fc.constantFrom(1n, 2500n, 2n ** 70n).map((value) => build.constant(value)),
    ),
    condition: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      {
        weight: 2,
        arbitrary: fields(
          'flaky',
          'muted',
          'title',
          'note',
          'retries',
          'duration',
          'labels',
          'author.admin',
          'reviewer',
          'author.boss',
        ),
      },
      {
        weight: 4,
        arbitrary: fc.tuple(fc.constantFrom('===', '!=='), text, text).map(([op, a, b]) => build.binary(op, a, b)),
      },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom('===', '!==', '<', '<=', '>', '>='), number, number)
          .map(([op, a, b]) => build.binary(op, a, b)),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('<', '<=', '>', '>='), text, text)
          .map(([op, a, b]) => build.binary(op, a, b)),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('<', '>=', '===', '!=='), time, time)
          .map(([op, a, b]) => build.binary(op, a, b)),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('===', '!==', '<', '>='), any, any)
          .map(([op, a, b]) => build.binary(op, a, b)),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(
            fields(
              'note',
              'cause',
              'retries',
              'muted',
              'endedAt',
              'labels',
              'exit',
              'closedAt',
              'author.team',
              'author.boss',
              'reviewer',
              'steps',
            ),
            fc.constantFrom('===', '!=='),
            fc.constantFrom(null, undefined),
          )
          .map(([left, op, value]) => build.binary(op, left, build.constant(value))),
      },
      {
        weight: 4,
        arbitrary: fc
          .tuple(textOrField, fc.constantFrom('includes', 'startsWith', 'endsWith'), text, optional)
          .map(([object, name, part, short]) => call(object, name, [part], short)),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(lists, text, optional)
          .map(([object, part, short]) => call(object, 'includes', [part], short)),
      },
      fc
        .tuple(lists, fc.constantFrom('some', 'every'), fc.constantFrom('===', 'includes'), text)
        .map(([object, name, op, part]) => {
          const element = build.param('tag');
          const body = op === '===' ? build.binary(op, element, part) : call(element, op, [part]);
          return call(object, name, [build.lambda(['tag'], body)]);
        }),
      {
        weight: 2,
        arbitrary: fc
          .tuple(text, fc.array(textArbitrary, { maxLength: 4 }))
          .map(([needle, list]) => build.isIn(needle, build.constant(list))),
      },
      fc
        .tuple(any, fc.array(fc.constantFrom(...NUMBERS, null, undefined, NaN, 'a', true), { maxLength: 4 }))
        .map(([needle, list]) => build.isIn(needle, build.constant(list))),
      fc
        .tuple(number, fc.constantFrom('<', '>=', '===', '!=='), number)
        .map(([left, op, right]) =>
          call(field('scores'), 'some', [
            build.lambda(['x'], build.binary(op, build.binary('+', build.param('x'), left), right)),
          ]),
        ),
      number.map((wanted) => call(field('scores'), 'includes', [wanted])),
      fc.tuple(fc.constantFrom('some', 'every'), text, number, optional).map(([name, title, ms, short]) => {
        const step = build.param('step');
        const isSlow = build.binary('>', build.member(step, 'ms'), ms);
        const body = build.logical('||', build.binary('===', build.member(step, 'title'), title), isSlow);
        return call(field('steps'), name, [build.lambda(['step'], body)], short);
      }),
      fc.tuple(text, lists).map(([needle, list]) => build.isIn(needle, list)),
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom('&&', '||'), condition, condition)
          .map(([op, a, b]) => build.logical(op, a, b)),
      },
      condition.map((operand) => build.unary('!', operand)),
      ...choice(condition),
    ),
  };
}).condition;
