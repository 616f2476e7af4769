import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { Count, Nullable } from './schema.ts';
import { MOST_SINCE_RESULTS } from './test-since.ts';

export const MOST_FACTORS = 20;

export const FlakeFactor = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('browser'),
        Type.Literal('shard'),
        Type.Literal('worker'),
        Type.Literal('environment'),
        Type.Literal('hour'),
        Type.Literal('before'),
        Type.Literal('together'),
      ],
      {
        description:
          '`hour`: of the day, in UTC, four of them. `before`: another test ran right before it on its worker. `together`: another test was flaky in the same run',
      },
    ),
    value: Type.String({ description: 'Of `before` and `together`: the title of the other test' }),
    testId: Nullable(Id, { description: 'Of `before` and `together`' }),
    flakyWith: Type.Integer({ ...Count, description: 'Runs with it in which the test was flaky' }),
    runsWith: Count,
    flakyWithout: Count,
    runsWithout: Count,
    chance: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How likely so many are by chance if it does not matter, by the exact test of Fisher',
    }),
  },
  { title: 'FlakeFactor' },
);
export type FlakeFactor = Static<typeof FlakeFactor>;

export const FlakeFactors = Type.Object(
  {
    branch: Nullable(Type.String(), { description: 'Whose runs were looked at; null where runs name no branch' }),
    results: Type.Integer({ minimum: 0, description: 'Results that were looked at' }),
    flaky: Type.Integer({ minimum: 0, description: 'Those of them that were flaky' }),
    tried: Type.Integer({
      minimum: 0,
      description: 'Things that were tried; those that so few results cannot tell from chance are not',
    }),
    factors: Type.Array(FlakeFactor, { maxItems: MOST_FACTORS, description: 'The least likely by chance first' }),
  },
  { title: 'FlakeFactors' },
);
export type FlakeFactors = Static<typeof FlakeFactors>;

export const flakeFactorEndpoints = {
  listFlakeFactors: endpoint({
    method: 'GET',
    path: '/api/tests/{id}/flake-factors',
    access: 'public',
    group: 'Tests',
    summary: 'What a test is flaky with more often than without',
    description: `Looks at the latest ${MOST_SINCE_RESULTS} results of a branch, by default the default branch; flaky are those that passed on a retry, and those that failed on a commit on which another run passed. Other failures and outages are left out. At most 5 % of all that is told is told by chance.`,
    params: Type.Object({ id: Id }),
    query: Type.Object({ branch: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH })) }),
    reply: FlakeFactors,
    errors: ['invalid_id', 'invalid_query', 'test_not_found'],
  }),
};
