import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { ConsoleMessage, SubmittedAnnotation, SubmittedRequest, SubmittedStep, SubmittedVitals } from './ingest.ts';
import { NotRun } from './not-run.ts';
import { Owners } from './owners.ts';
import { ProjectOfCode } from './project-name.ts';
import { Run, runMetadata } from './run.ts';
import { Bytes, Count, Nullable, Time } from './schema.ts';

const caseFields = {
  id: Id,
  testId: Id,
  title: Type.String(),
  status: Type.String(),
  duration: Nullable(Type.Number()),
  location: Type.String(),
  filePath: Type.String(),
  line: Nullable(Type.Integer()),
  column: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  retries: Count,
  flaky: Type.Boolean(),
  browser: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  owners: Type.Optional(Owners),
  notRun: Type.Optional(NotRun),
  startTime: Type.Optional(Time),
  shard: Type.Optional(Type.Integer({ minimum: 1, description: 'Of a run in shards: the one that it ran in' })),
  lane: Type.Optional(Type.Integer({ minimum: 0, description: 'Which of the workers that ran side by side ran it' })),
  failedMs: Type.Optional(Type.Number({ minimum: 0, description: 'Time spent in attempts that failed' })),
  cause: Type.Optional(
    Type.String({ description: 'What errors of one cause have in common: of the last attempt that failed' }),
  ),
  picture: Type.Optional(
    Type.String({ description: 'Of a failed or flaky result that has one: a picture, to be read at `/api/files/`' }),
  ),
};

const detailFields = {
  steps: Type.Array(SubmittedStep),
  slowestStep: Nullable(Type.String()),
  slowestStepDuration: Nullable(Type.Number()),
  networkRequests: Type.Array(SubmittedRequest),
  webVitals: Nullable(SubmittedVitals),
  console: Type.Array(ConsoleMessage),
  annotations: Type.Array(SubmittedAnnotation),
  attempts: Type.Array(Type.Unknown()),
  metadata: Type.Unknown(),
};

/** What a case has beyond its result; left out of a run with `details=false`. */
export const CaseDetails = Type.Object(detailFields, { title: 'CaseDetails' });
export type CaseDetails = Static<typeof CaseDetails>;

export const TestCase = Type.Intersect([Type.Object(caseFields), Type.Partial(CaseDetails)], { title: 'TestCase' });
export type TestCase = Static<typeof TestCase>;

export const Trace = Type.Object(
  {
    id: Id,
    path: Type.String({ description: 'To be read at `/api/files/`' }),
    size: Bytes,
    url: Type.String({ description: 'Opens it in the trace viewer' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('read'), Type.Literal('broken')], {
      description: 'Whether its steps, requests and console messages are already part of the case',
    }),
    problem: Nullable(Type.String({ description: 'Why it is broken' })),
  },
  { title: 'Trace' },
);
export type Trace = Static<typeof Trace>;

const Pixels = Nullable(Type.Integer({ minimum: 1, description: 'Of a picture, where its content tells it' }));

export const Attachment = Type.Object(
  {
    id: Id,
    name: Type.String(),
    contentType: Type.String(),
    path: Type.String({ description: 'To be read at `/api/files/`' }),
    size: Bytes,
    attempt: Type.Integer({ minimum: 0, description: 'Counted from 0, as `retry` in `attempts`' }),
    width: Pixels,
    height: Pixels,
  },
  { title: 'Attachment' },
);
export type Attachment = Static<typeof Attachment>;

export const PastResult = Type.Object(
  {
    id: Id,
    testRunId: Id,
    startTime: Time,
    status: Type.String(),
    duration: Nullable(Type.Number()),
    retries: Count,
    flaky: Type.Boolean(),
    error: Nullable(Type.String()),
    notRun: Type.Optional(NotRun),
    branch: Nullable(Type.String()),
    commit: Nullable(Type.String()),
  },
  { title: 'PastResult' },
);
export type PastResult = Static<typeof PastResult>;

const CaseRun = Type.Object(
  { ...Run.properties, metadata: runMetadata, project: ProjectOfCode },
  { title: 'RunOfCase' },
);

export const TestCaseDetails = Type.Object(
  {
    ...caseFields,
    ...detailFields,
    traces: Type.Array(Trace),
    attachments: Type.Array(Attachment),
    testRun: CaseRun,
    history: Type.Array(PastResult, { description: 'The latest 30 results of this test, newest first' }),
  },
  { title: 'TestCaseDetails' },
);
export type TestCaseDetails = Static<typeof TestCaseDetails>;

export const caseEndpoints = {
  getTestCase: endpoint({
    method: 'GET',
    path: '/api/test-cases/{id}',
    access: 'public',
    group: 'Test cases',
    summary: 'One result of a test in one run',
    params: Type.Object({ id: Id }),
    reply: TestCaseDetails,
    errors: ['invalid_id', 'test_case_not_found', 'run_damaged'],
  }),
};
