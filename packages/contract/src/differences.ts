import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { RunRef } from './run-refs.ts';
import { Count, Nullable } from './schema.ts';

/** Of each kind of difference, the most that are listed. */
export const MOST_DIFFERENCES = 500;
/** Whose durations tell what is noise. */
export const NOISE_RUNS = 30;
/** A test needs as many of them. */
export const LEAST_NOISE_RUNS = 10;
/** Less than this is never called slower or faster. */
export const LEAST_DURATION_RATIO = 1.2;
export const LEAST_DURATION_CHANGE_MS = 50;

/** Those beyond are not offered. */
export const MOST_ENVIRONMENTS = 50;

const ResultOfTest = Type.Object(
  {
    testCaseId: Id,
    status: Type.String(),
    flaky: Type.Boolean(),
    duration: Nullable(Type.Number()),
  },
  { title: 'ResultOfTest', description: 'The worst, where a run has several of one test' },
);

export const DifferentTest = Type.Object(
  {
    testId: Id,
    title: Type.String(),
    filePath: Type.String(),
    browser: Nullable(Type.String()),
    here: Nullable(ResultOfTest),
    there: Nullable(ResultOfTest),
    usualDuration: Type.Optional(
      Type.Number({ description: `Of a slower or faster test: its median in the ${NOISE_RUNS} runs before this one` }),
    ),
  },
  { title: 'DifferentTest' },
);
export type DifferentTest = Static<typeof DifferentTest>;

const testsThat = (description: string) => Type.Array(DifferentTest, { maxItems: MOST_DIFFERENCES, description });

const lists = {
  newFailures: testsThat('Fail here, and did not fail there'),
  fixed: testsThat('Failed there, and pass here'),
  stillFailing: testsThat('Fail in both'),
  newlyFlaky: testsThat('Flaky here, and neither flaky nor failed there'),
  slower: testsThat('Pass in both, and take longer here by more than their noise; the largest change first'),
  faster: testsThat('Pass in both, and take less time here by more than their noise; the largest change first'),
  added: testsThat('Only here'),
  removed: testsThat('Only there'),
};
export type DifferenceKind = keyof typeof lists;
export const DIFFERENCE_KINDS = Object.keys(lists) as readonly DifferenceKind[];

export const OtherRunChoice = Type.Union(
  [Type.Literal('previous'), Type.Literal('green'), Type.Literal('default'), Type.Literal('base')],
  {
    description:
      '`previous`: the latest run of its branch before it. `green`: the latest of them that passed. `default`: of the default branch, the latest run on the commit that it is based on, else the latest before it. `base`: the latest run of any branch on the commit that it is based on',
  },
);
export type OtherRunChoice = Static<typeof OtherRunChoice>;

export const RunDifferences = Type.Object(
  {
    run: RunRef,
    other: Nullable(RunRef, { description: 'Null when there is no such run; then nothing differs' }),
    otherBy: Type.Union([OtherRunChoice, Type.Literal('environment'), Type.Literal('id')]),
    environments: Type.Array(Type.String(), {
      maxItems: MOST_ENVIRONMENTS,
      description: 'Other environments that have a run to compare with, by name',
    }),
    noise: Type.Object({
      runs: Type.Integer({
        minimum: 0,
        description: 'Runs of its branch before this one whose durations were compared',
      }),
      knownShare: Type.Number({
        minimum: 0,
        maximum: 1,
        description: `Of the tests that pass in both runs, the share that passed in at least ${LEAST_NOISE_RUNS} of those runs: of the others nothing is said`,
      }),
      threshold: Nullable(
        Type.Number({
          description:
            'How many median absolute deviations, as standard deviations of logarithms, a duration must be off: what at most 1 in 100 results of those runs were, and at least 4; null when too little is known',
        }),
      ),
    }),
    counts: Type.Object(
      Object.fromEntries(DIFFERENCE_KINDS.map((kind) => [kind, Count])) as Record<DifferenceKind, typeof Count>,
      { description: `Of all; each list has at most ${MOST_DIFFERENCES}` },
    ),
    sharedTests: Type.Integer({ minimum: 0, description: 'Tests that both have' }),
    ...lists,
  },
  { title: 'RunDifferences' },
);
export type RunDifferences = Static<typeof RunDifferences>;
