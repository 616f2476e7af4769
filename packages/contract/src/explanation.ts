import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { RunRef } from './run-refs.ts';
import { Count, Nullable } from './schema.ts';
import { withCommas } from './with-commas.ts';

/** Failures that are looked at. */
export const MOST_EXPLAINED = 5_000;
/** Of each statement, the results that are named. */
export const MOST_NAMED_RESULTS = 20;

export const SharedTrait = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('since'),
        Type.Literal('flake'),
        Type.Literal('cause'),
        Type.Literal('shard'),
        Type.Literal('worker'),
        Type.Literal('browser'),
        Type.Literal('environment'),
        Type.Literal('version'),
        Type.Literal('file'),
        Type.Literal('touched'),
        Type.Literal('time'),
      ],
      {
        description:
          '`since`: they failed before already. `flake`: they were flaky before. `cause`: one cause. `shard`, `worker`, `browser`, `file`: they ran there. `environment`, `version`: they ran in another environment, or with another version of a tool, than other shards; or, without `ran`, all of the run did and no run before it. `touched`: the commits since the base touched their files. `time`: they started then.',
      },
    ),
    value: Nullable(Type.String({ description: 'Of a cause and of places' })),
    before: Nullable(Type.String({ description: 'What the run before had, where all of the run has another one' })),
    since: Nullable(RunRef, { description: 'Of `since`: the run since which they fail' }),
    from: Nullable(Type.String({ description: 'Of `time`' })),
    to: Nullable(Type.String({ description: 'Of `time`; null where it goes on to the end' })),
  },
  { title: 'SharedTrait' },
);
export type SharedTrait = Static<typeof SharedTrait>;

export const ExplainingStatement = Type.Object(
  {
    failures: Type.Integer({
      minimum: 1,
      description: 'Failures that it accounts for, those of earlier statements not counted',
    }),
    ran: Nullable(Type.Integer({ description: 'Of a place or a time: how many tests ran there' })),
    traits: Type.Array(SharedTrait, {
      minItems: 1,
      description: 'The first is why they are told together; nearly all of them share the others, too',
    }),
    flakes: Nullable(
      Type.Object({
        runs: Type.Integer({ minimum: 1, description: 'Earlier runs in which the most flaky of them was flaky' }),
        withThisError: Type.Integer({ minimum: 0, description: 'Failures whose error the test had when it was flaky' }),
        timesWithThisError: Type.Integer({ minimum: 0, description: 'How often, all of them together' }),
      }),
      { description: 'Of tests that were flaky before' },
    ),
    results: Type.Array(Type.Object({ testCaseId: Id, title: Type.String() }), { maxItems: MOST_NAMED_RESULTS }),
  },
  { title: 'ExplainingStatement' },
);
export type ExplainingStatement = Static<typeof ExplainingStatement>;

export const RunExplanation = Type.Object(
  {
    failures: Count,
    lookedAt: Type.Integer({
      minimum: 0,
      description: `Failures that were looked at: at most ${withCommas(MOST_EXPLAINED)}`,
    }),
    ran: Count,
    comparedRuns: Type.Integer({ minimum: 0, description: 'Runs before it that were looked at' }),
    farMoreThanUsual: Type.Boolean({
      description:
        'Whether so much more failed than usual on its branch that single tests are hardly the reason: something common to them broke, in the code or around it',
    }),
    statements: Type.Array(ExplainingStatement, { description: 'The fewest that account for most, the best first' }),
    unexplained: Type.Object({
      failures: Count,
      results: Type.Array(Type.Object({ testCaseId: Id, title: Type.String() }), { maxItems: MOST_NAMED_RESULTS }),
    }),
  },
  { title: 'RunExplanation' },
);
export type RunExplanation = Static<typeof RunExplanation>;
