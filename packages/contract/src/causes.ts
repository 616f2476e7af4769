import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { CAUSE_VERSION } from './error-cause.ts';
import { Id } from './ids.ts';
import { RunOfResult } from './run-refs.ts';
import { Count, HistoryText, Nullable } from './schema.ts';
import { latestRuns, windowQuery } from './window.ts';

export const MOST_CAUSES = 500;
export const LONGEST_CAUSE_SAMPLE = 4_000;

export const Cause = Type.Object(
  {
    message: Type.String({
      description: `Class, message and locator or values of the error, with what differs from run to run replaced; rules of version ${CAUSE_VERSION}`,
    }),
    place: Nullable(Type.String({ description: 'First frame of the latest such error that is of no library' })),
    count: Type.Integer({ minimum: 1, description: 'Failed results' }),
    tests: Count,
    runs: Count,
    firstSeen: RunOfResult,
    lastSeen: RunOfResult,
    isNew: Type.Boolean({ description: 'Whether the latest of the runs looked at, and none before it, has it' }),
    runsWithout: Type.Integer({
      minimum: 0,
      description: 'Runs looked at after the last that has it; 0 while it goes on',
    }),
    history: HistoryText,
    sample: Type.String({ description: 'The latest such error, cut' }),
  },
  { title: 'Cause' },
);
export type Cause = Static<typeof Cause>;

export const causeEndpoints = {
  listCauses: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/causes',
    access: 'public',
    group: 'Projects',
    summary: 'Why tests failed in the latest runs, by cause',
    description: `The most frequent first, at most ${MOST_CAUSES}. Failures without an error are left out. In \`history\`, \`F\` is a run that has the cause and \`P\` one that has not. Without \`since\`, \`until\` and \`runs\` it is of the latest 100 runs.`,
    params: Type.Object({ id: Id }),
    query: Type.Object({
      ...windowQuery,
      runs: latestRuns,
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only errors that contain this text' }),
      ),
    }),
    reply: Type.Array(Cause, { maxItems: MOST_CAUSES }),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
