import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import {
  MAX_ATTACHMENTS_PER_CASE,
  MAX_LANE,
  MAX_METADATA_BYTES,
  MAX_NAME_LENGTH,
  MAX_RESULTS_PER_RUN,
  MAX_SHARDS,
  MAX_STATUS_LENGTH,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
} from './limits.ts';
import { SubmittedNotRun } from './not-run.ts';
import { Count, Maybe, Milliseconds } from './schema.ts';
import { LAST_TIME } from './time.ts';

export const Status = Type.String({ minLength: 1, maxLength: MAX_STATUS_LENGTH });
export const Text = Type.String({ maxLength: MAX_TEXT_LENGTH });
const Finite = Type.Number();

export const SubmittedStep = Type.Cyclic(
  {
    Step: Type.Object(
      {
        title: Type.String(),
        duration: Maybe(Finite),
        category: Maybe(Text),
        error: Maybe(Type.Unknown()),
        startTime: Maybe(Type.Union([Finite, Text])),
        steps: Maybe(Type.Array(Type.Ref('Step'))),
      },
      { title: 'Step' },
    ),
  },
  'Step',
);

export const SubmittedRequest = Type.Object(
  {
    method: Type.String({ minLength: 1, maxLength: 40 }),
    url: Type.String(),
    status: Maybe(Type.Integer({ minimum: 0, maximum: 999 })),
    duration: Maybe(Milliseconds),
    resourceType: Maybe(Type.String({ maxLength: 40 })),
    startTime: Maybe(Type.Union([Finite, Text])),
  },
  { title: 'NetworkRequest' },
);

export const SubmittedVitals = Type.Object(
  {
    navigation: Maybe(
      Type.Object({
        url: Maybe(Type.String()),
        ttfb: Maybe(Finite),
        domInteractive: Maybe(Finite),
        domContentLoaded: Maybe(Finite),
        loadComplete: Maybe(Finite),
      }),
    ),
    paint: Maybe(Type.Object({ firstPaint: Maybe(Finite), firstContentfulPaint: Maybe(Finite) })),
    lcp: Maybe(Finite),
    cls: Maybe(Finite),
    inp: Maybe(Finite),
  },
  { title: 'WebVitals' },
);

export const SubmittedAnnotation = Type.Object({ type: Type.String(), description: Maybe(Type.String()) });

/** What a page wrote to its console, or threw. */
export const ConsoleMessage = Type.Object(
  {
    type: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    text: Type.String(),
    startTime: Maybe(Type.Union([Finite, Text])),
    location: Maybe(Type.String({ description: '`url:line`, without query' })),
  },
  { title: 'ConsoleMessage' },
);
export type ConsoleMessage = Static<typeof ConsoleMessage>;

const BrowserName = Type.String({ maxLength: MAX_NAME_LENGTH });

/** The first of these that is there names the browser. */
const SubmittedBrowser = Type.Object({
  name: Maybe(BrowserName),
  browserName: Maybe(BrowserName),
  channel: Maybe(BrowserName),
});

export const SubmittedCase = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: MAX_TITLE_LENGTH }),
    status: Status,
    duration: Maybe(Milliseconds),
    location: Maybe(
      Type.String({ maxLength: MAX_TEXT_LENGTH, description: '`file:line:column`, `file:line` or `file`' }),
    ),
    error: Maybe(Type.String()),
    retries: Maybe(Count),
    retry: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Which attempt of its test this is, counted from 0, where each attempt is sent as a case of its own: cases of one test with different numbers become one result, which has the outcome of the last; in a live run they do when the part is finished',
      }),
    ),
    attempt: Maybe(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The same, counted from 1' }),
    ),
    startTime: Maybe(
      Type.Union([Type.Number({ minimum: 0, maximum: LAST_TIME }), Text], {
        description: 'ISO 8601, or milliseconds since 1970',
      }),
    ),
    suitePath: Maybe(
      Type.Union([Text, Type.Array(Text, { maxItems: 100 })], {
        description: 'The describes around the test: they stand before a title that does not begin with them',
      }),
    ),
    browser: Maybe(Type.Union([BrowserName, SubmittedBrowser])),
    tags: Maybe(Type.Array(Type.String({ maxLength: MAX_NAME_LENGTH }), { maxItems: MAX_TAGS })),
    notRun: Maybe(SubmittedNotRun),
    annotations: Maybe(Type.Array(SubmittedAnnotation)),
    steps: Maybe(Type.Array(SubmittedStep)),
    slowestStep: Maybe(Type.String()),
    slowestStepDuration: Maybe(Finite),
    networkRequests: Maybe(Type.Array(SubmittedRequest)),
    webVitals: Maybe(SubmittedVitals),
    console: Maybe(Type.Array(ConsoleMessage)),
    lane: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: MAX_LANE,
        description:
          'Which of the workers that run tests side by side ran it, counted from 0; when left out, `parallel` of its last attempt',
      }),
    ),
    attempts: Maybe(
      Type.Array(Type.Unknown(), {
        description:
          'In order, of any shape. Of objects, `retry`, `status`, `duration`, `startTime`, `error`, `output` (`{stream, text}` in the order in which it was printed), `parallel` and `leftOut` (`{name, size, why}` of attachments that were not sent) are understood',
      }),
    ),
    metadata: Maybe(Type.Unknown()),
  },
  { title: 'SubmittedCase' },
);
export type SubmittedCase = Static<typeof SubmittedCase>;
export type SubmittedStep = Static<typeof SubmittedStep>;
export type SubmittedRequest = Static<typeof SubmittedRequest>;
export type SubmittedVitals = Static<typeof SubmittedVitals>;

/** What tells a run, and a part of one, from others. */
export const whichRun = {
  startTime: Type.String({ maxLength: 64, description: 'ISO 8601 with any offset' }),
  branch: Maybe(Text),
  commit: Maybe(Text),
  defaultBranch: Maybe(
    Type.String({
      maxLength: MAX_TEXT_LENGTH,
      description:
        'Of the repository, where the sender knows it: the default branch of the project, unless one is set there',
    }),
  ),
  metadata: Maybe(
    Type.Unknown({
      description: `At most ${MAX_METADATA_BYTES / 1024} KiB as JSON. Of its fields, \`environment\`, \`filtered\`, \`scm.author\`, \`scm.message\`, \`scm.pullRequest.number\` and \`scm.baseCommit\` are fields of the run. Of a run of another branch, \`scm.baseCommit\` is the commit of the default branch that it is based on: the run is compared with the default branch as it was there, else as it was when the run started.`,
    }),
  ),
  runKey: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Names the run in its project: what comes with the same key belongs to the same run',
    }),
  ),
  shard: Maybe(
    Type.Object(
      {
        index: Type.Integer({ minimum: 1, maximum: MAX_SHARDS, description: 'Counted from 1, at most `total`' }),
        total: Type.Integer({ minimum: 1, maximum: MAX_SHARDS }),
      },
      { title: 'Shard', description: 'Which part of the run that `runKey` names this is' },
    ),
  ),
  attempt: Maybe(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'How often CI has tried this part, 1 when left out. Of one shard the highest attempt stays, and of one attempt the latest `startTime`',
    }),
  ),
};

const runMetadata = {
  status: Status,
  duration: Maybe(Milliseconds),
  totalTests: Maybe(Count),
  passedTests: Maybe(Count),
  failedTests: Maybe(Count),
  skippedTests: Maybe(Count),
  ...whichRun,
};

export const ProjectNameOfRun = Type.String({
  minLength: 1,
  description: '1 to 200 characters; the project is made when it does not exist',
});

export const Submission = Type.Object(
  {
    projectName: ProjectNameOfRun,
    ...runMetadata,
    testCases: Maybe(Type.Array(SubmittedCase, { maxItems: MAX_RESULTS_PER_RUN })),
  },
  { title: 'Submission' },
);
export type Submission = Static<typeof Submission>;

export const SubmissionOutcome = Type.Union(
  [Type.Literal('stored'), Type.Literal('replaced'), Type.Literal('superseded')],
  {
    description:
      '`stored`: the results are in the run, from this request or from an earlier one with the same key. `replaced`: they took the place of those that another sender had stored with the same `runKey` and shard. `superseded`: they are not in the run, because another sender with the same `runKey` and shard has their place.',
  },
);
export type SubmissionOutcome = Static<typeof SubmissionOutcome>;

export const SubmissionReply = Type.Object(
  {
    success: Type.Literal(true),
    testRunId: Id,
    projectId: Id,
    outcome: SubmissionOutcome,
  },
  { title: 'SubmissionReply' },
);
export type SubmissionReply = Static<typeof SubmissionReply>;

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The same key again answers the same run and stores nothing twice',
    }),
  ),
});

export const UploadReply = Type.Object(
  {
    ...SubmissionReply.properties,
    reportPath: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the HTML report, or of the first one; to be read at `/api/files/`',
    }),
    reports: Type.Array(Type.Object({ type: Type.String(), label: Type.String(), path: Type.String() })),
    traces: Type.Array(Type.Object({ testCaseIndex: Count, path: Type.String() })),
    attachments: Type.Array(
      Type.Object({ testCaseIndex: Count, attempt: Count, name: Type.String(), path: Type.String() }),
    ),
  },
  { title: 'UploadReply' },
);
export type UploadReply = Static<typeof UploadReply>;

/** The files of a run as parts of a form. */
export const filesOfForm = {
  'report_<type>': Type.Optional(
    Type.Unsafe<Blob>({
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'A report; the type is 1 to 40 of `a-z`, `0-9`, `_` and `-`, such as html, monocart or blob',
    }),
  ),
  'report_label_<type>': Type.Optional(Type.String({ description: 'What to call that report' })),
  'trace_<N>': Type.Optional(
    Type.Unsafe<Blob>({
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'A trace of the test case at index N, counted from 0; may be sent several times',
    }),
  ),
  'attachment_<N>_<attempt>': Type.Optional(
    Type.Unsafe<Blob>({
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: `What an attempt of the test case at index N left behind: a picture, a video, a text, anything. Attempts are counted from 0; \`attachment_<N>\` belongs to the first. The file name of the part is the name that is shown, and its \`Content-Type\` the type. May be sent several times; a test case has at most ${MAX_ATTACHMENTS_PER_CASE}. The names \`…-expected\`, \`…-actual\` and \`…-diff\`, with or without an extension, make one comparison.`,
    }),
  ),
};

export const ingestEndpoints = {
  submitRun: endpoint({
    method: 'POST',
    path: '/api/test-runs/submit',
    access: 'submitter',
    group: 'Submission',
    summary: 'Submit a test run',
    description:
      'Stores a run with its results in one transaction. A project that does not exist is made. Counts that are left out are taken from `testCases`; the flaky count is always computed. With `runKey` and `shard` it is a part of a run: parts with one key make one run, in any order.',
    headers: IdempotencyHeader,
    body: Submission,
    reply: SubmissionReply,
    errors: ['invalid_body', 'invalid_header', 'run_full', 'body_too_large', 'unsupported_media_type'],
  }),
  uploadRun: endpoint({
    method: 'POST',
    path: '/api/test-runs/upload',
    access: 'submitter',
    group: 'Submission',
    summary: 'Upload a test run with reports, traces and attachments',
    description:
      'Parts come in any order. A report is a zip, tar, tar.gz, a single HTML file or anything else, recognised by its content. Nothing is stored when any part is refused.',
    headers: IdempotencyHeader,
    bodyType: 'multipart/form-data',
    body: Type.Object({
      projectName: Type.String(),
      testRun: Type.String({ description: 'JSON: the run without `projectName` and `testCases`' }),
      testCases: Type.Optional(Type.String({ description: 'JSON: the array of test cases' })),
      ...filesOfForm,
      htmlReport: Type.Optional(
        Type.Unsafe<Blob>({
          type: 'string',
          contentMediaType: 'application/octet-stream',
          description: 'An older name of `report_html`',
        }),
      ),
    }),
    reply: UploadReply,
    errors: ['invalid_body', 'invalid_header', 'unsafe_archive', 'request_timeout', 'run_full', 'body_too_large'],
  }),
};
