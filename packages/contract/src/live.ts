import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import {
  IdempotencyHeader,
  ProjectNameOfRun,
  Status,
  SubmissionReply,
  SubmittedCase,
  UploadReply,
  filesOfForm,
  whichRun,
} from './ingest.ts';
import { MAX_RESULTS_PER_RUN } from './limits.ts';
import { Count, Maybe, Milliseconds } from './schema.ts';

const Part = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'As `start` answered it',
});
const Batch = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const RunStart = Type.Object(
  {
    projectName: ProjectNameOfRun,
    ...whichRun,
    expectedTests: Maybe(Count),
  },
  { title: 'RunStart' },
);
export type RunStart = Static<typeof RunStart>;

export const StartReply = Type.Object(
  { ...SubmissionReply.properties, part: Part, nextBatch: Batch },
  { title: 'StartReply' },
);
export type StartReply = Static<typeof StartReply>;

export const ResultBatch = Type.Object(
  {
    part: Part,
    batch: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Counted from 0' }),
    testCases: Type.Array(SubmittedCase, {
      maxItems: MAX_RESULTS_PER_RUN,
      description: 'None at all says that the sender is still there, and does not count as a batch',
    }),
  },
  { title: 'ResultBatch' },
);
export type ResultBatch = Static<typeof ResultBatch>;

export const BatchReply = Type.Object({ success: Type.Literal(true), nextBatch: Batch }, { title: 'BatchReply' });
export type BatchReply = Static<typeof BatchReply>;

export const PartFilesReply = Type.Object(
  {
    success: Type.Literal(true),
    reports: UploadReply.properties.reports,
    traces: UploadReply.properties.traces,
    attachments: UploadReply.properties.attachments,
  },
  { title: 'PartFilesReply' },
);
export type PartFilesReply = Static<typeof PartFilesReply>;

export const RunFinish = Type.Object(
  {
    part: Part,
    status: Status,
    duration: Maybe(Milliseconds),
    totalTests: Maybe(Count),
    passedTests: Maybe(Count),
    failedTests: Maybe(Count),
    skippedTests: Maybe(Count),
  },
  { title: 'RunFinish' },
);
export type RunFinish = Static<typeof RunFinish>;

const params = Type.Object({ id: Id });

export const liveEndpoints = {
  startRun: endpoint({
    method: 'POST',
    path: '/api/test-runs/start',
    access: 'submitter',
    group: 'Submission',
    summary: 'Start a run whose results follow',
    description:
      'Makes the run, or a part of the run that `runKey` and `shard` name, with the status `running`. One of `Idempotency-Key` and `runKey` is required. The same `Idempotency-Key` again answers the same run and part, with the number of the batch that is expected next. A part that sends nothing for some minutes is closed as `interrupted`, and opened again by whatever arrives for it.',
    headers: IdempotencyHeader,
    body: RunStart,
    reply: StartReply,
    errors: ['invalid_body', 'invalid_header', 'body_too_large', 'unsupported_media_type'],
  }),
  addResults: endpoint({
    method: 'POST',
    path: '/api/test-runs/{id}/results',
    access: 'submitter',
    group: 'Submission',
    summary: 'Add results to a run that was started',
    description:
      'Batches are numbered from 0. One that was stored already is answered again and not stored again; one too far ahead is refused with the number that is expected.',
    params,
    body: ResultBatch,
    reply: BatchReply,
    errors: [
      'invalid_id',
      'invalid_body',
      'run_not_found',
      'part_not_found',
      'batch_missing',
      'part_finished',
      'run_full',
      'body_too_large',
      'unsupported_media_type',
    ],
  }),
  addFiles: endpoint({
    method: 'POST',
    path: '/api/test-runs/{id}/files',
    access: 'submitter',
    group: 'Submission',
    summary: 'Add reports, traces and attachments to a run that was started',
    description:
      'Before it is finished. `trace_<N>` and `attachment_<N>_<attempt>` count the cases of the part in the order in which they were sent. A report takes the place of one of the same type that the part had, and one that is equal to it keeps its path; a trace or an attachment that a case already has is not stored again. So the same form may be sent again, with the same `Idempotency-Key`, another or none. With `part` as its first field a form for a part that takes nothing more is refused before its files are sent, and a long upload keeps the part from being closed.',
    params,
    headers: IdempotencyHeader,
    bodyType: 'multipart/form-data',
    body: Type.Object({ part: Type.String({ description: 'As `start` answered it' }), ...filesOfForm }),
    reply: PartFilesReply,
    errors: [
      'invalid_id',
      'invalid_body',
      'invalid_header',
      'unsafe_archive',
      'run_not_found',
      'part_not_found',
      'request_timeout',
      'part_finished',
      'body_too_large',
    ],
  }),
  finishRun: endpoint({
    method: 'POST',
    path: '/api/test-runs/{id}/finish',
    access: 'submitter',
    group: 'Submission',
    summary: 'Finish a run that was started',
    description:
      'Counts that are left out are taken from the results that were sent. The status is any but `running`. Finishing again changes nothing and is answered the same.',
    params,
    body: RunFinish,
    reply: SubmissionReply,
    errors: [
      'invalid_id',
      'invalid_body',
      'run_not_found',
      'part_not_found',
      'part_finished',
      'body_too_large',
      'unsupported_media_type',
    ],
  }),
};
