import { type Static, Type } from 'typebox';
import { PastResult } from './cases.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Count, Milliseconds, Nullable } from './schema.ts';

/** Passing results that a failed one is compared with. */
export const MOST_COMPARED_RESULTS = 10;
export const MOST_EXECUTION_DIFFERENCES = 20;

export const ExecutionDifference = Type.Object(
  {
    kind: Type.Union([
      Type.Literal('version'),
      Type.Literal('environment'),
      Type.Literal('step'),
      Type.Literal('request'),
      Type.Literal('console'),
    ]),
    change: Type.Union(
      [
        Type.Literal('added'),
        Type.Literal('missing'),
        Type.Literal('repeated'),
        Type.Literal('changed'),
        Type.Literal('failed'),
        Type.Literal('slower'),
      ],
      {
        description:
          '`added`: passing results do not have it. `missing`: they have it, and it did not happen here, although the test came that far. `repeated`: more often than in them. `changed`: another version, environment or status. `failed`: a step that passes in them. `slower`: several times as long as the longest of them',
      },
    ),
    what: Type.String({ description: 'The title of a step, method and address of a request, a message, a name' }),
    here: Nullable(Type.String(), {
      description: 'The status of a request, a version, an environment, or the error of a step, as it is here',
    }),
    usual: Nullable(Type.String(), { description: 'What most of the passing results have instead' }),
    hereMs: Nullable(Milliseconds),
    usualMs: Nullable(Milliseconds, { description: 'Of what is slower: the longest of the passing results' }),
    hereTimes: Count,
    usualTimes: Type.Integer({ minimum: 0, description: 'The most that one of the passing results has' }),
    results: Type.Integer({ minimum: 0, description: 'Passing results that could tell' }),
    alike: Type.Integer({ minimum: 0, description: 'Those of them in which it was as it is here' }),
    atMs: Nullable(Type.Number(), { description: 'After the start of the attempt; null where it is not known' }),
  },
  { title: 'ExecutionDifference' },
);
export type ExecutionDifference = Static<typeof ExecutionDifference>;

const Told = Type.Object({
  here: Type.Boolean({ description: 'Whether this result tells it' }),
  results: Type.Integer({ minimum: 0, description: 'Passing results that do' }),
});

export const FirstDifference = Type.Object(
  {
    attempt: Nullable(Count, {
      description: 'The attempt that is compared, counted from 0: the last one that failed. Null where none did',
    }),
    results: Type.Array(PastResult, {
      maxItems: MOST_COMPARED_RESULTS,
      description:
        'The passing results that it is compared with, the latest first: those of its branch, then of the default branch, then of others. Errors are left out',
    }),
    told: Type.Object(
      { steps: Told, requests: Told, console: Told, versions: Told },
      { description: 'What is compared: only what this result and passing ones both tell' },
    ),
    differences: Type.Array(ExecutionDifference, {
      maxItems: MOST_EXECUTION_DIFFERENCES,
      description: 'The first first',
    }),
    more: Type.Integer({ minimum: 0, description: 'Differences after these' }),
  },
  { title: 'FirstDifference' },
);
export type FirstDifference = Static<typeof FirstDifference>;

export const firstDifferenceEndpoints = {
  getFirstDifference: endpoint({
    method: 'GET',
    path: '/api/test-cases/{id}/difference',
    access: 'public',
    group: 'Test cases',
    summary: 'What a failed result did otherwise than passing ones',
    description: `Compares a result with the latest ${MOST_COMPARED_RESULTS} results of its test before it that passed at once: versions and environment, steps, requests and console messages. Told is what at most one of ten of them has, in the order in which it happened; a step that failed comes after what happened while it ran. Numbers, ids and the like are left out of account, and so are files such as scripts and images unless they failed to load. A passed result can be asked about too.`,
    params: Type.Object({ id: Id }),
    reply: FirstDifference,
    errors: ['invalid_id', 'test_case_not_found', 'run_damaged'],
  }),
};
