import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { RunOfResult, RunRef } from './run-refs.ts';
import { Nullable } from './schema.ts';
import { withCommas } from './with-commas.ts';

/** How many runs before a run a comparison looks at. */
export const COMPARED_RUNS = 100;
/** Whose median duration is the usual one. */
export const USUAL_DURATION_RUNS = 20;
export const LONGEST_COMPARED_ERROR = 2_000;

const testFields = {
  testCaseId: Type.Integer({ minimum: 1, description: 'The result in this run' }),
  testId: Id,
  title: Type.String(),
  filePath: Type.String(),
  browser: Nullable(Type.String()),
};

const OnDefault = Type.Object(
  {
    outcome: Type.Union(
      [Type.Literal('passed'), Type.Literal('failed'), Type.Literal('other'), Type.Literal('notRun')],
      { description: '`other` was skipped or has a status of its own' },
    ),
    failingSince: Nullable(RunRef, { description: 'The run of the default branch since which it fails there' }),
  },
  { title: 'OutcomeOnDefaultBranch' },
);
export type OnDefault = Static<typeof OnDefault>;

export const FailedTest = Type.Object(
  {
    ...testFields,
    status: Type.String(),
    error: Nullable(Type.String({ description: `At most ${withCommas(LONGEST_COMPARED_ERROR)} characters` })),
    isNew: Type.Boolean({ description: 'Whether it did not fail the last time it ran, or never ran before' }),
    ranBefore: Type.Boolean({
      description: 'Whether any of the runs looked at before has this test: a renamed or moved test is another test',
    }),
    failingSince: RunRef,
    failedRuns: Type.Integer({
      minimum: 1,
      description:
        'Runs in a row that it failed in, this one counted; runs that skipped it or did not run it neither break the row nor count',
    }),
    sinceBeyond: Type.Boolean({
      description:
        'Whether the row may go back further than what was looked at: no other outcome was found, and the oldest run looked at has the test and is not the first',
    }),
    onDefault: Nullable(OnDefault, { description: 'What `defaultRun` says of it; null when there is none' }),
  },
  { title: 'FailedTest' },
);
export type FailedTest = Static<typeof FailedTest>;

export const FixedTest = Type.Object(
  {
    ...testFields,
    lastFailed: RunOfResult,
    failedRuns: Type.Integer({ minimum: 1, description: 'Runs in a row that it had failed in' }),
  },
  { title: 'FixedTest' },
);
export type FixedTest = Static<typeof FixedTest>;

export const RunComparison = Type.Object(
  {
    previousRun: Nullable(RunRef),
    nextRun: Nullable(RunRef),
    comparedWith: Nullable(RunRef),
    defaultRun: Nullable(RunRef, {
      description:
        'For a run of another branch: the latest run of the default branch on the commit that it is based on, else before it; null when there is none, or when it is of the default branch itself',
    }),
    defaultRunBy: Nullable(Type.Union([Type.Literal('commit'), Type.Literal('time')])),
    usualDuration: Nullable(
      Type.Number({
        description: `Median of up to ${USUAL_DURATION_RUNS} runs that it is compared with and that have a duration`,
      }),
    ),
    failures: Type.Array(FailedTest, { description: 'In the order of the run' }),
    fixed: Type.Array(FixedTest, {
      description: 'Tests that passed here and had failed the last time they ran before',
    }),
    fixedHere: Type.Array(FixedTest, { description: 'Tests that passed here and fail on the default branch' }),
    sharedTests: Type.Integer({ minimum: 0, description: 'Tests that `comparedWith` has too' }),
    addedTests: Type.Integer({ minimum: 0, description: 'Tests that `comparedWith` does not have' }),
    removedTests: Type.Integer({ minimum: 0, description: 'Tests that only `comparedWith` has' }),
  },
  { title: 'RunComparison' },
);
export type RunComparison = Static<typeof RunComparison>;
