import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { RunRef } from './run-refs.ts';
import { Count, Nullable } from './schema.ts';
import { withCommas } from './with-commas.ts';

/** The most runs, and about the most results, that a figure over some days looks at: the latest. */
export const MOST_WINDOW_RUNS = 1_000;
export const MOST_WINDOW_RESULTS = 5_000_000;

const Moment = Type.String({ minLength: 1, maxLength: 40 });

/** Which runs of a project a read is about; without any of these it answers as if there were no windows. */
export const windowQuery = {
  branch: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description: 'Only runs of this branch' }),
  ),
  since: Type.Optional({ ...Moment, description: 'Only runs that started at this time or later; ISO 8601' }),
  until: Type.Optional({ ...Moment, description: 'Only runs that started before this time; ISO 8601' }),
};

export interface WindowQuery {
  readonly branch?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export const latestRuns = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MOST_WINDOW_RUNS, description: 'Only the latest so many of these runs' }),
);

export const OutageKind = Type.Union([Type.Literal('run'), Type.Literal('shard'), Type.Literal('cause')], {
  description: 'Where far more failed than usual: in all of the run, on one of its shards, or for one cause',
});
export type OutageKind = Static<typeof OutageKind>;

export const RunOutage = Type.Object(
  {
    ...RunRef.properties,
    kind: OutageKind,
    shard: Nullable(Type.Integer({ minimum: 1, description: 'Of `shard`' })),
    cause: Nullable(Type.String({ description: 'Of `cause`' })),
  },
  { title: 'RunOutage' },
);
export type RunOutage = Static<typeof RunOutage>;

export const RunWindow = Type.Object(
  {
    runs: Type.Integer({ minimum: 0, description: 'How many runs figures are of' }),
    results: Count,
    retriedRuns: Type.Integer({ minimum: 0, description: 'Runs in which a test passed only when tried again' }),
    repeatedCommits: Type.Integer({ minimum: 0, description: 'Commits that several of the runs are of' }),
    outages: Type.Array(RunOutage, {
      description:
        'Runs in which so much more failed or was flaky than usual that single tests are not the reason: the flakiness of tests is estimated without them',
    }),
    firstRun: Nullable(RunRef),
    lastRun: Nullable(RunRef),
    allRuns: Type.Integer({
      minimum: 0,
      description: 'Runs of the branch and the days; more than `runs` when figures look at the latest only',
    }),
  },
  { title: 'RunWindow' },
);
export type RunWindow = Static<typeof RunWindow>;

export const windowEndpoints = {
  getWindow: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/window',
    access: 'public',
    group: 'Projects',
    summary: 'Which runs the figures of a branch and some days are of',
    description: `Figures look at the latest ${withCommas(MOST_WINDOW_RUNS)} runs, and at no more runs once these have ${withCommas(MOST_WINDOW_RESULTS)} results.`,
    params: Type.Object({ id: Id }),
    query: Type.Object({ ...windowQuery, runs: latestRuns }),
    reply: RunWindow,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
