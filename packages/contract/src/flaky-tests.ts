import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { RunOfResult } from './run-refs.ts';
import { HistoryText, Nullable, paging } from './schema.ts';
import { latestRuns, windowQuery } from './window.ts';

export const MOST_FLAKY_TESTS = 500;
/** Of each kind of evidence, the results that are named. */
export const MOST_FLAKY_EVIDENCE = 3;

const PerCent = Type.Number({ minimum: 0, maximum: 100, description: 'Per cent, with one decimal' });

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const FlakeModel = Type.Object(
  {
    rate: Share('The share of runs in which it is flaky, as estimated from all tests of the project together'),
    low: Share('Where the rate lies with 95 % certainty: from here'),
    high: Share('to here'),
    probability: Share('That it is flaky to a degree that is noticed: in more than one of 100 runs'),
    falseRedsPerWeek: Type.Number({
      minimum: 0,
      description: 'Runs a week that it is expected to make red for no reason, at as many runs a week as there were',
    }),
  },
  {
    title: 'FlakeModel',
    description:
      'Fractions of 1. Runs in which far more failed than usual are left out, and recent runs weigh more where rates have changed.',
  },
);
export type FlakeModel = Static<typeof FlakeModel>;

const latest = (description: string) => Type.Array(RunOfResult, { maxItems: MOST_FLAKY_EVIDENCE, description });

export const FlakyRuns = Type.Object(
  {
    retried: latest('Passed when they were tried again'),
    mixed: latest('Failed on a commit on which another run passed it'),
    alone: latest('Failed between two runs that passed it'),
  },
  { title: 'FlakyRuns', description: 'The latest results of each kind, newest first' },
);

export const FlakyTest = Type.Object(
  {
    id: Id,
    title: Type.String(),
    filePath: Type.String(),
    browser: Nullable(Type.String()),
    flakyRuns: Type.Integer({
      minimum: 1,
      description:
        'Results that passed only when they were tried again, and those that failed on a commit on which another run passed it',
    }),
    retriedRuns: Type.Integer({ minimum: 0, description: 'Those of them that passed when they were tried again' }),
    mixedCommits: Type.Integer({
      minimum: 0,
      description: 'Commits on which some of the runs passed it and others failed it',
    }),
    aloneRuns: Type.Integer({
      minimum: 0,
      description:
        'Runs that failed it between two of their branch, of other commits, that passed it: they count for no rate, as it may have been broken and mended at once',
    }),
    evidence: FlakyRuns,
    totalRuns: Type.Integer({ minimum: 0, description: 'Runs that ran it; skipped ones do not count' }),
    flakyRate: PerCent,
    rateLow: Type.Number({ minimum: 0, maximum: 100, description: 'Lower end of the 95 % Wilson interval' }),
    rateHigh: Type.Number({ minimum: 0, maximum: 100, description: 'Upper end of the 95 % Wilson interval' }),
    model: FlakeModel,
    firstFlaky: RunOfResult,
    lastFlaky: RunOfResult,
    history: HistoryText,
  },
  { title: 'FlakyTest' },
);
export type FlakyTest = Static<typeof FlakyTest>;

export const RedForecast = Type.Object(
  {
    redShare: PerCent,
    low: Type.Number({ minimum: 0, maximum: 100, description: 'Lower end of the 95 % interval' }),
    high: Type.Number({ minimum: 0, maximum: 100, description: 'Upper end of the 95 % interval' }),
  },
  { title: 'RedForecast', description: 'How many runs would be red' },
);
export type RedForecast = Static<typeof RedForecast>;

export const FlakeCost = Type.Object(
  {
    runs: Type.Integer({ minimum: 0, description: 'Runs looked at, without outages' }),
    outages: Type.Integer({ minimum: 0, description: 'Runs left out, in which far more failed than usual' }),
    runsPerWeek: Type.Number({ minimum: 0 }),
    redRuns: Type.Integer({ minimum: 0, description: 'Runs with failed results' }),
    redByChance: Type.Integer({
      minimum: 0,
      description:
        'Red runs in which every failure was by chance: another run passed the test on the same commit, or the test is known to be flaky and passed in the runs of its branch before and after',
    }),
    failedMinutes: Type.Number({ minimum: 0, description: 'That attempts took which failed' }),
    minutesByChance: Type.Number({ minimum: 0, description: 'Those of them that failed by chance' }),
    tests: Type.Array(
      Type.Object({
        id: Id,
        title: Type.String(),
        filePath: Type.String(),
        browser: Nullable(Type.String()),
        redRuns: Type.Integer({ minimum: 1, description: 'Runs that were red by chance alone in which it failed' }),
        freedRuns: Type.Integer({
          minimum: 0,
          description: 'Runs that would have been green without it and those listed before it',
        }),
        withoutThese: Nullable(RedForecast, {
          description: 'Without it and those listed before it; null when there are fewer than 30 runs',
        }),
      }),
      {
        maxItems: 10,
        description: 'The tests that make most runs red by chance, each chosen after those before it',
      },
    ),
    withOneMoreRetry: Nullable(RedForecast, {
      description:
        'By how often a further try of each test passed; null when nothing was tried again, or with fewer than 30 runs',
    }),
  },
  { title: 'FlakeCost' },
);
export type FlakeCost = Static<typeof FlakeCost>;

export const flakyTestEndpoints = {
  getFlakeCost: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/flake-cost',
    access: 'public',
    group: 'Projects',
    summary: 'What failures by chance cost in the latest runs, and what would change it',
    description:
      'Without `since`, `until` and `runs` it is of the latest 100 runs. The page on statistics in the documentation says how it is computed.',
    params: Type.Object({ id: Id }),
    query: Type.Object({ ...windowQuery, runs: latestRuns }),
    reply: FlakeCost,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
  listFlakyTests: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/flaky-tests',
    access: 'public',
    group: 'Projects',
    summary: 'The tests that were flaky in the latest runs: by retries, and by both outcomes on one commit',
    description:
      'Those first that make most runs red for no reason, by `model.falseRedsPerWeek`. The page on statistics in the documentation says how it is computed.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      ...windowQuery,
      runs: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 200,
          description: 'How many of the latest runs: 100, or all since `since`, unless it is given',
        }),
      ),
      test: Type.Optional(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Only this test, if it was flaky' }),
      ),
      ...paging,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: MOST_FLAKY_TESTS, description: 'Page size' }),
      ),
    }),
    reply: Type.Array(FlakyTest),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
