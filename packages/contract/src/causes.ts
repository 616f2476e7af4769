import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { CAUSE_VERSION } from './error-cause.ts';
import { Id } from './ids.ts';
import { RunOfResult } from './run-refs.ts';
import { Count, HistoryText, Nullable } from './schema.ts';
import { latestRuns, windowQuery } from './window.ts';
import { withCommas } from './with-commas.ts';

export const MOST_CAUSES = 500;
/** Causes beyond these are not told from each other: their failures are only added up. */
export const MOST_COUNTED_CAUSES = 5_000;
export const LONGEST_CAUSE_SAMPLE = 4_000;

export const Cause = Type.Object(
  {
    message: Type.String({
      description: `Class, message and locator or values of the error, with what differs from run to run replaced by <*>; rules of version ${CAUSE_VERSION}`,
    }),
    place: Nullable(Type.String({ description: 'First frame of the error of `lastSeen` that is of no library' })),
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
    sample: Type.String({
      description: `The error of \`lastSeen\`, cut to ${withCommas(LONGEST_CAUSE_SAMPLE)} characters`,
    }),
  },
  { title: 'Cause' },
);
export type Cause = Static<typeof Cause>;

export const Causes = Type.Object(
  {
    causes: Type.Array(Cause, { maxItems: MOST_CAUSES }),
    totalCauses: Type.Integer({
      minimum: 0,
      maximum: MOST_COUNTED_CAUSES,
      description: 'How many causes were counted; more than are listed when there are many',
    }),
    uncountedFailures: Type.Integer({
      minimum: 0,
      description: `Failed results of further causes, beyond the ${withCommas(MOST_COUNTED_CAUSES)} latest, that were not counted`,
    }),
  },
  { title: 'Causes' },
);
export type Causes = Static<typeof Causes>;

export const MOST_CAUSE_TESTS = 500;
export const MOST_CAUSE_TEST_RESULTS = 20;

const CauseTest = Type.Object(
  {
    id: Id,
    title: Type.String(),
    filePath: Type.String(),
    browser: Nullable(Type.String()),
    failures: Type.Integer({ minimum: 1, description: 'Results of it that failed with this cause' }),
    results: Type.Array(RunOfResult, {
      maxItems: MOST_CAUSE_TEST_RESULTS,
      description: `The latest ${MOST_CAUSE_TEST_RESULTS} of them, newest run first`,
    }),
  },
  { title: 'CauseTest' },
);

export const CauseTests = Type.Object(
  {
    tests: Type.Array(CauseTest, { maxItems: MOST_CAUSE_TESTS }),
    totalTests: Count,
    totalFailures: Count,
  },
  { title: 'CauseTests' },
);
export type CauseTests = Static<typeof CauseTests>;

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
    reply: Causes,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
  listCauseTests: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/cause-tests',
    access: 'public',
    group: 'Projects',
    summary: 'The failures of one cause in the latest runs, by test',
    description: `The test that failed most often first, at most ${MOST_CAUSE_TESTS}. Looks at the same runs as the list of causes.`,
    params: Type.Object({ id: Id }),
    query: Type.Object({
      ...windowQuery,
      runs: latestRuns,
      cause: Type.String({ maxLength: 400, description: 'The `message` of a cause, as the list of causes has it' }),
    }),
    reply: CauseTests,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
