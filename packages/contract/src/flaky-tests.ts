import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { RunOfResult } from './run-refs.ts';
import { HistoryText, Nullable, paging } from './schema.ts';
import { windowQuery } from './window.ts';

export const MOST_FLAKY_TESTS = 500;

const PerCent = Type.Number({ minimum: 0, maximum: 100, description: 'Per cent, with one decimal' });

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
    totalRuns: Type.Integer({ minimum: 0, description: 'Runs that ran it; skipped ones do not count' }),
    flakyRate: PerCent,
    rateLow: Type.Number({ minimum: 0, maximum: 100, description: 'Lower end of the 95 % Wilson interval' }),
    rateHigh: Type.Number({ minimum: 0, maximum: 100, description: 'Upper end of the 95 % Wilson interval' }),
    firstFlaky: RunOfResult,
    lastFlaky: RunOfResult,
    history: HistoryText,
  },
  { title: 'FlakyTest' },
);
export type FlakyTest = Static<typeof FlakyTest>;

export const flakyTestEndpoints = {
  listFlakyTests: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/flaky-tests',
    access: 'public',
    group: 'Projects',
    summary: 'The tests that were flaky in the latest runs: by retries, and by both outcomes on one commit',
    description:
      'Most flaky first: by the lower end of the interval, so that one flaky result of two does not come before fifty of a hundred; then by how often.',
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
      ...paging,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: MOST_FLAKY_TESTS, description: 'Page size' }),
      ),
    }),
    reply: Type.Array(FlakyTest),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
