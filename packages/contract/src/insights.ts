import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Count, Nullable, Time } from './schema.ts';
import { windowQuery } from './window.ts';

export const PerformancePoint = Type.Object(
  {
    id: Id,
    startTime: Time,
    duration: Nullable(Type.Number()),
    avgTestDuration: Nullable(Type.Integer()),
    p90TestDuration: Nullable(Type.Number()),
    status: Type.String(),
    totalTests: Count,
    flakyTests: Count,
    commit: Nullable(Type.String()),
    branch: Nullable(Type.String()),
  },
  { title: 'PerformancePoint' },
);
export type PerformancePoint = Static<typeof PerformancePoint>;

export const SlowTest = Type.Object(
  {
    id: Id,
    title: Type.String(),
    filePath: Type.String(),
    browser: Nullable(Type.String()),
    avgDuration: Type.Integer(),
    maxDuration: Type.Number(),
    minDuration: Type.Number(),
    p90Duration: Type.Number(),
    runCount: Count,
    trend: Type.Union([Type.Literal('faster'), Type.Literal('slower'), Type.Literal('stable')]),
    latestDuration: Type.Number(),
    durations: Type.Array(Type.Number(), { description: 'Oldest first' }),
  },
  { title: 'SlowTest' },
);
export type SlowTest = Static<typeof SlowTest>;

export const SLOWEST_TESTS = 20;

const params = Type.Object({ id: Id });

export const insightEndpoints = {
  getPerformance: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/performance',
    access: 'public',
    group: 'Projects',
    summary: 'Durations of the latest runs',
    description: 'Oldest first.',
    params,
    query: Type.Object({
      ...windowQuery,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 200,
          description: 'How many of the latest runs: 50, or all since `since`, unless it is given',
        }),
      ),
    }),
    reply: Type.Array(PerformancePoint),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
  listSlowTests: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/slow-tests',
    access: 'public',
    group: 'Projects',
    summary: 'The 20 slowest tests of the latest runs',
    description: 'Slowest average first.',
    params,
    query: Type.Object({
      ...windowQuery,
      runs: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'How many of the latest runs: 10, or all since `since`, unless it is given',
        }),
      ),
    }),
    reply: Type.Array(SlowTest, { maxItems: SLOWEST_TESTS }),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
