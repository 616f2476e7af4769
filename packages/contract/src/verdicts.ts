import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { RunRef } from './run-refs.ts';
import { Count, Nullable } from './schema.ts';

/** Of more failures, terms are left out unless one is asked for. */
export const MOST_VERDICT_TERMS = 500;

export const VerdictWord = Type.Union(
  [Type.Literal('yours'), Type.Literal('base'), Type.Literal('flake'), Type.Literal('outage'), Type.Literal('unknown')],
  {
    description:
      '`yours`: newly broken by the change of the run. `base`: broken at its base already. `flake`: the test is flaky. `outage`: something around the tests broke. `unknown`: none of these is at least 90 % likely, or nothing is known of the base',
  },
);
export type VerdictWord = Static<typeof VerdictWord>;

const ofReasons = (description: string) =>
  Type.Object(
    { yours: Type.Number(), base: Type.Number(), flake: Type.Number(), outage: Type.Number() },
    { description },
  );

export const VerdictTerm = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('prior'),
        Type.Literal('base'),
        Type.Literal('branch'),
        Type.Literal('commit'),
        Type.Literal('rate'),
        Type.Literal('retries'),
        Type.Literal('cause'),
        Type.Literal('alike'),
        Type.Literal('elsewhere'),
        Type.Literal('around'),
        Type.Literal('files'),
        Type.Literal('outage'),
      ],
      {
        description: [
          '`prior`: how often tests of the project break and are flaky.',
          '`base`: what the test did at the base, `outcome`, in the last `count` runs in a row; `new` and `renamed` are tests that the base did not have.',
          '`branch`: it failed in `count` of `of` earlier runs of the branch.',
          '`commit`: it failed in `count` of `of` other runs of the same commit.',
          '`rate`: it was flaky in `count` of `of` runs, its estimated rate is `rate`; a failure between two passes counts a quarter.',
          '`retries`: it failed on `count` retries too.',
          '`cause`: `count` of its `of` failed and flaky results before had this cause; `outcome` says where the cause was seen: `atBase` in its last failure there, `before` in this test, `elsewhere` in other tests, `new` nowhere.',
          '`alike`: `count` other failures of the run have this cause.',
          '`elsewhere`: `count` of `of` other branches that ran in the six hours before had this cause.',
          '`around`: whether the error is of connections, memory, disks or crashed browsers (`around`) or not (`other`).',
          '`files`: whether the `count` commits since the base touched the file of the test (`touched`, `untouched`).',
          '`outage`: whether far more failed than usual (`many`), or failures have one `shard`, `worker` or `time` (`none` if neither).',
        ].join(' '),
      },
    ),
    bits: ofReasons('What it adds to the odds of each reason: with each bit they double'),
    outcome: Nullable(Type.String()),
    count: Nullable(Type.Number({ minimum: 0 })),
    of: Nullable(Type.Number({ minimum: 0 })),
    rate: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { title: 'VerdictTerm' },
);
export type VerdictTerm = Static<typeof VerdictTerm>;

export const FailureVerdict = Type.Object(
  {
    testCaseId: Id,
    testId: Id,
    verdict: VerdictWord,
    odds: ofReasons('How likely each reason is: fractions of 1'),
    terms: Type.Array(VerdictTerm, {
      description: `Their bits add up to the odds. Only of the first ${MOST_VERDICT_TERMS} failures, and of one that is asked for by \`result\``,
    }),
  },
  { title: 'FailureVerdict' },
);
export type FailureVerdict = Static<typeof FailureVerdict>;

export const RunVerdicts = Type.Object(
  {
    failures: Type.Integer({ ...Count, description: 'Tests that failed' }),
    lookedAt: Type.Integer({ minimum: 0, description: 'Tests among them that were looked at' }),
    base: Nullable(RunRef, { description: 'The run that the change is compared with; null when there is none' }),
    baseBy: Nullable(Type.Union([Type.Literal('commit'), Type.Literal('previous'), Type.Literal('time')]), {
      description:
        '`commit`: it ran the commit that the branch is based on. `previous`: it is the one before on the branch, of another commit where commits are known. `time`: it is the latest of the default branch, which may have other commits than the branch began with',
    }),
    comparedRuns: Type.Integer({ minimum: 0, description: 'Runs that were looked at' }),
    commits: Nullable(Count, { description: 'Commits since the base; null when they are not all known' }),
    counts: Type.Object({ yours: Count, base: Count, flake: Count, outage: Count, unknown: Count }),
    verdicts: Type.Array(FailureVerdict),
  },
  { title: 'RunVerdicts' },
);
export type RunVerdicts = Static<typeof RunVerdicts>;
