import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Count, Nullable } from './schema.ts';
import { DurationChange, SincePlace, TestChange } from './test-since.ts';

/** Runs of the default branch that are looked at: the latest. */
export const MOST_CHANGE_RUNS = 300;
/** Tests of each kind that are listed. */
export const MOST_CHANGED_TESTS = 10;
/** What began longer before the latest run is no news. */
export const CHANGED_WITHIN_DAYS = 30;

const named = { id: Id, title: Type.String(), filePath: Type.String(), browser: Nullable(Type.String()) };

const place = Type.Object({ ...SincePlace.properties }, { description: 'Where it most likely began' });

const { probability, firstBad, lastGood, placeCount, commitCount, before, since } = TestChange.properties;

export const NewlyFlakyTest = Type.Object(
  { ...named, probability, firstBad, lastGood, place, placeCount, commitCount, before, since },
  { title: 'NewlyFlakyTest', description: 'The fields are those of `flaky` in what `GET /api/tests/{id}/since` says' },
);
export type NewlyFlakyTest = Static<typeof NewlyFlakyTest>;

const { beforeMs, afterMs, factor, lastBefore, firstAfter, ...slowerPlaces } = DurationChange.properties;

export const NewlySlowerTest = Type.Object(
  {
    ...named,
    beforeMs,
    afterMs,
    factor,
    lastBefore,
    firstAfter,
    place,
    placeCount: slowerPlaces.placeCount,
    commitCount: slowerPlaces.commitCount,
  },
  {
    title: 'NewlySlowerTest',
    description: 'The fields are those of an entry of `durations` in what `GET /api/tests/{id}/since` says',
  },
);
export type NewlySlowerTest = Static<typeof NewlySlowerTest>;

export const ChangedTests = Type.Object(
  {
    branch: Nullable(Type.String(), { description: 'Whose runs were looked at; null where runs name no branch' }),
    runs: Type.Integer({ minimum: 0, description: 'Runs that were looked at' }),
    flaky: Type.Array(NewlyFlakyTest, {
      maxItems: MOST_CHANGED_TESTS,
      description: 'Tests that became flaky and are so for sure; the latest change first',
    }),
    slower: Type.Array(NewlySlowerTest, {
      maxItems: MOST_CHANGED_TESTS,
      description: 'Tests that became slower and still are; the latest change first',
    }),
    flakyCount: Count,
    slowerCount: Count,
    unjudged: Type.Integer({
      minimum: 0,
      description: 'Tests that may have changed too, but less clearly than those that were judged: only so many are',
    }),
  },
  { title: 'ChangedTests' },
);
export type ChangedTests = Static<typeof ChangedTests>;

export const changedTestEndpoints = {
  listChangedTests: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/changed-tests',
    access: 'public',
    group: 'Projects',
    summary: 'Tests that lately became flaky or slower, with since which commit',
    description: `On the default branch, in its latest ${MOST_CHANGE_RUNS} runs, or fewer where these have very many results. What began more than ${CHANGED_WITHIN_DAYS} days before the latest of them is not told, nor are tests that none of the latest ten ran. The page on statistics in the documentation says how it is computed.`,
    params: Type.Object({ id: Id }),
    reply: ChangedTests,
    errors: ['invalid_id', 'project_not_found'],
  }),
};
