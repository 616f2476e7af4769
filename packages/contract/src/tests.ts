import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Owners } from './owners.ts';
import { ResultRef } from './run-refs.ts';
import { Count, HistoryText, Nullable, Time, paging } from './schema.ts';
import { latestRuns, windowQuery } from './window.ts';

/** What a test is called, and its figures over all its runs. */
export const testFields = {
  id: Id,
  filePath: Type.String(),
  title: Type.String(),
  browser: Nullable(Type.String()),
  owners: Type.Optional(Owners),
  totalRuns: Count,
  passedRuns: Count,
  failedRuns: Count,
  skippedRuns: Count,
  flakyRuns: Count,
  avgDuration: Nullable(Type.Integer()),
};

/** One test of a project over all its runs. */
export const Test = Type.Object(
  {
    ...testFields,
    lastRun: Time,
    lastStatus: Type.String(),
    tags: Type.Optional(Type.Array(Type.String(), { description: 'Of its latest result; with `history`' })),
    history: Type.Optional(HistoryText),
    p90Duration: Type.Optional(
      Nullable(
        Type.Number({ description: 'Over the runs of `history`, or over those of `since`, `until` and `runs`' }),
      ),
    ),
    lastFailure: Type.Optional(Nullable(ResultRef)),
    totalDuration: Type.Optional(Type.Number({ description: 'Time spent on it in all its runs; with `history`' })),
  },
  { title: 'Test' },
);
export type Test = Static<typeof Test>;

export const testEndpoints = {
  listTests: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/test-cases',
    access: 'public',
    group: 'Projects',
    summary: 'The tests of a project with the figures of their history',
    description:
      'The test that ran last comes first. With `since`, `until` or `runs`, all figures are of these runs, and only tests that are in them are listed.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      ...paging,
      ...windowQuery,
      runs: latestRuns,
      history: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          description:
            'How many of the latest runs `history` is of, and `p90Duration` unless `since`, `until` or `runs` is given; without it these, `tags` and `lastFailure` are left out',
        }),
      ),
    }),
    reply: Type.Array(Test),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
