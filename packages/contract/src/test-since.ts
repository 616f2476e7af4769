import { type Static, Type } from 'typebox';
import { Commit } from './commits.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { RunOfResult, RunRef } from './run-refs.ts';
import { Count, Milliseconds, Nullable } from './schema.ts';

/** Results of a test that are looked at: the latest. */
export const MOST_SINCE_RESULTS = 300;
export const MOST_SINCE_PLACES = 20;
export const MOST_SINCE_COMMITS = 20;
export const MOST_SINCE_RUNS = 10;

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const { hash, author, subject, time } = Commit.properties;

export const SinceCommit = Type.Object({ hash, author, subject, time }, { title: 'SinceCommit' });
export type SinceCommit = Static<typeof SinceCommit>;

export const SincePlace = Type.Object(
  {
    probability: Share('That it began here'),
    before: Nullable(RunOfResult, { description: 'The last run before it; null before the first' }),
    run: RunOfResult,
    commitCount: Nullable(Type.Integer({ minimum: 1 }), {
      description:
        'Commits that this run has and the one before it has not, each as likely as the other; null when unknown',
    }),
    commits: Type.Array(SinceCommit, {
      maxItems: MOST_SINCE_COMMITS,
      description: 'The newest of them; the last run tested only the first of these',
    }),
  },
  { title: 'SincePlace', description: 'Between two runs that are next to each other in the history' },
);
export type SincePlace = Static<typeof SincePlace>;

export const SpeakingResult = Type.Object(
  {
    run: RunOfResult,
    outcome: Type.Union([Type.Literal('passed'), Type.Literal('flaky'), Type.Literal('failed')]),
  },
  { title: 'SpeakingResult' },
);
export type SpeakingResult = Static<typeof SpeakingResult>;

const Counts = Type.Object({ passed: Count, flaky: Count, failed: Count });

export const TestChange = Type.Object(
  {
    sure: Type.Boolean({
      description: 'Whether it is at least 95 % certain that the test is so now, and more than one result says so',
    }),
    probability: Share('That the test is so now'),
    fromStart: Share('That it was so with the first result already, if it is so now'),
    firstBad: RunOfResult,
    lastGood: Nullable(RunOfResult, { description: 'The last run before `firstBad` that passed it' }),
    untested: Nullable(Count, {
      description: 'Commits between `lastGood` and `firstBad` that no run of the test is of; null when unknown',
    }),
    places: Type.Array(SincePlace, {
      maxItems: MOST_SINCE_PLACES,
      description:
        'Where it began with 95 % certainty, if it is so now and was not so from the start: the likeliest first',
    }),
    placeCount: Type.Integer({ minimum: 0, description: 'How many places that takes; more than are listed, maybe' }),
    commitCount: Nullable(Count, { description: 'Commits in all these places; null when unknown' }),
    before: Counts,
    since: Counts,
    speaking: Type.Array(SpeakingResult, { description: 'Results around the beginning, oldest first' }),
  },
  { title: 'TestChange' },
);
export type TestChange = Static<typeof TestChange>;

export const DurationChange = Type.Object(
  {
    beforeMs: Milliseconds,
    afterMs: Milliseconds,
    factor: Type.Number({ minimum: 0, description: 'How many times as long it takes' }),
    lastBefore: RunOfResult,
    firstAfter: RunOfResult,
    places: Type.Array(SincePlace, {
      maxItems: MOST_SINCE_PLACES,
      description: 'Where it changed with 95 % certainty: the likeliest first',
    }),
    placeCount: Type.Integer({ minimum: 1 }),
    commitCount: Nullable(Count, { description: 'Commits in all these places; null when unknown' }),
  },
  { title: 'DurationChange', description: 'Medians of the durations of passed results, up to the changes next to it' },
);
export type DurationChange = Static<typeof DurationChange>;

export const FlakyEvidence = Type.Object(
  {
    retriedCount: Count,
    retried: Type.Array(RunOfResult, {
      maxItems: MOST_SINCE_RUNS,
      description: 'Passed when tried again; newest first',
    }),
    mixedCount: Count,
    mixed: Type.Array(Type.Object({ failed: RunOfResult, passed: RunOfResult }), {
      maxItems: MOST_SINCE_RUNS,
      description: 'Runs of one commit that passed and failed; newest first',
    }),
    aloneCount: Count,
    alone: Type.Array(RunOfResult, {
      maxItems: MOST_SINCE_RUNS,
      description: 'Failed where the commits tested before and after passed; newest first',
    }),
  },
  { title: 'FlakyEvidence' },
);
export type FlakyEvidence = Static<typeof FlakyEvidence>;

export const TestSince = Type.Object(
  {
    branch: Nullable(Type.String(), { description: 'Whose runs were looked at; null where runs name no branch' }),
    results: Type.Integer({ minimum: 0, description: 'Results that were looked at; skipped ones say nothing' }),
    orderedBy: Type.Union([Type.Literal('commits'), Type.Literal('time')], {
      description:
        'Whether the order of the runs is that of their commits in the known history, or that of their starts',
    }),
    unplaced: Type.Integer({
      minimum: 0,
      description: 'Results that were left out, as their commits are not in the history of the newest one',
    }),
    outages: Type.Array(RunRef, {
      description: 'Runs that were left out, as far more failed in them than usual and the test passed after them',
    }),
    now: Type.Object({
      fine: Share('That it is neither broken nor flaky in more than one of 100 runs'),
      flaky: Share('That it is flaky'),
      broken: Share('That it is broken'),
    }),
    broken: Nullable(TestChange, { description: 'Null unless it is more likely than not that the test is broken' }),
    flaky: Nullable(TestChange, { description: 'Null unless it is more likely than not that the test is flaky' }),
    durations: Type.Array(DurationChange, { description: 'Oldest first' }),
    durationsSeen: Type.Integer({ minimum: 0, description: 'Durations that were looked at' }),
    evidence: FlakyEvidence,
  },
  { title: 'TestSince' },
);
export type TestSince = Static<typeof TestSince>;

export const testSinceEndpoints = {
  getTestSince: endpoint({
    method: 'GET',
    path: '/api/tests/{id}/since',
    access: 'public',
    group: 'Tests',
    summary: 'Since which commit a test is broken, flaky or slower',
    description: `Of its latest ${MOST_SINCE_RESULTS} results on a branch: of the one that is given, else of the default branch, else, where it never ran there, of the branch where it ran last. The page on statistics in the documentation says how it is computed.`,
    params: Type.Object({ id: Id }),
    query: Type.Object({
      branch: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH })),
    }),
    reply: TestSince,
    errors: ['invalid_id', 'invalid_query', 'test_not_found'],
  }),
};
