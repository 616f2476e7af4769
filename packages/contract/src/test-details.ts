import { type Static, Type } from 'typebox';
import { PastResult } from './cases.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { ProjectOfCode } from './project-name.ts';
import { ResultRef } from './run-refs.ts';
import { Count, Nullable } from './schema.ts';
import { testFields } from './tests.ts';
import { latestRuns, windowQuery } from './window.ts';
import { withCommas } from './with-commas.ts';

export const LONGEST_ERROR_SAMPLE = 10_000;
export const LONGEST_LISTED_ERROR = 2_000;

export const ErrorGroup = Type.Object(
  {
    message: Type.String({
      description: 'First line, with numbers, ids, hashes, addresses and paths replaced: one text for one cause',
    }),
    count: Count,
    firstSeen: ResultRef,
    lastSeen: ResultRef,
    sample: Type.String({
      description: `The latest such error, at most ${withCommas(LONGEST_ERROR_SAMPLE)} characters`,
    }),
  },
  { title: 'ErrorGroup' },
);
export type ErrorGroup = Static<typeof ErrorGroup>;

export const TestDetails = Type.Object(
  {
    ...testFields,
    project: ProjectOfCode,
    firstSeen: Nullable(ResultRef),
    lastPassed: Nullable(ResultRef),
    lastFailed: Nullable(ResultRef),
    results: Type.Array(PastResult, {
      description: `Newest first; errors have at most ${withCommas(LONGEST_LISTED_ERROR)} characters`,
    }),
    errors: Type.Array(ErrorGroup, { description: 'Errors of these results, most frequent first' }),
  },
  { title: 'TestDetails' },
);
export type TestDetails = Static<typeof TestDetails>;

export const testDetailsEndpoints = {
  getTest: endpoint({
    method: 'GET',
    path: '/api/tests/{id}',
    access: 'public',
    group: 'Tests',
    summary: 'One test with its latest results',
    description:
      'With `branch`, `since`, `until` or `runs`, everything is of these runs. Counts, the average, `firstSeen`, `lastPassed` and `lastFailed` are of all its results, `results` and `errors` of the latest. `firstSeen` is the result that was received first; `lastPassed` and `lastFailed` go by the start of the runs, and are sought in at most 400 places of a history that was sent in disorder.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      ...windowQuery,
      runs: latestRuns,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: 200, description: 'How many of the latest results' }),
      ),
    }),
    reply: TestDetails,
    errors: ['invalid_id', 'invalid_query', 'test_not_found'],
  }),
};
