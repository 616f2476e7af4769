import { expect, test } from 'vitest';
import { type Explained, build, explain } from '../src/index.ts';

const { binary, call, constant, lambda, logical, member, param } = build;

const flat = (part: Explained): Record<string, string> =>
  Object.assign(
    {
      [part.path]:
        part.outcome.state === 'value'
          ? `value ${JSON.stringify(part.outcome.value)}`
          : part.outcome.state === 'error'
            ? `error ${part.outcome.error.code}`
            : part.outcome.state,
    },
    ...part.parts.map(flat),
  );

test('every part has its value, and what was not reached says so', () => {
  const tree = lambda(
    ['t'],
    logical(
      '&&',
      binary('===', member(param('t'), 'status'), constant('failed')),
      binary('>', member(param('t'), 'retries'), constant(0)),
    ),
  );
  expect(flat(explain(tree, { params: { t: { status: 'passed', retries: 2 } } }))).toStrictEqual({
    '/root': 'value false',
    '/root/body': 'value false',
    '/root/body/left': 'value false',
    '/root/body/left/left': 'value "passed"',
    '/root/body/left/left/object': 'value {"status":"passed","retries":2}',
    '/root/body/left/right': 'value "failed"',
    '/root/body/right': 'skipped',
    '/root/body/right/left': 'skipped',
    '/root/body/right/left/object': 'skipped',
    '/root/body/right/right': 'skipped',
  });
});

test('a chain that ends early marks its later links', () => {
  const tree = member(member(param('t'), 'a', true), 'b');
  expect(flat(explain(tree, { params: { t: null } }))).toStrictEqual({
    '/root': 'value undefined',
    '/root/object': 'short',
    '/root/object/object': 'value null',
  });
});

test('an error is where it arose and in all that stand on it', () => {
  const tree = binary('+', constant(1), member(constant(null), 'x'));
  expect(flat(explain(tree))).toStrictEqual({
    '/root': 'error eval.nullBase',
    '/root/left': 'value 1',
    '/root/right': 'error eval.nullBase',
    '/root/right/object': 'value null',
  });
});

test('a lambda that runs several times says how often', () => {
  const tree = call(member(constant([1, 2, 3]), 'map'), [lambda(['x'], binary('*', param('x'), constant(2)))]);
  const explained = explain(tree);
  const body = explained.parts[1]!.parts[0]!;
  expect([
    explained.parts[0]!.outcome.state,
    explained.parts[1]!.outcome.state,
    body.times,
    body.outcome,
  ]).toStrictEqual(['callee', 'callee', 3, { state: 'value', value: 6 }]);
});
