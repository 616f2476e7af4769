import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { Bytes, Count, Nullable, Time } from './schema.ts';

const RunPart = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Of the shard; 0 for a part that names none' }),
    attempt: Type.Integer({ minimum: 1 }),
    status: Type.String({ description: '`running` while it is sent' }),
    startTime: Time,
    duration: Nullable(Type.Number()),
    totalTests: Count,
  },
  { title: 'RunPart' },
);

export const Shards = Type.Object(
  {
    total: Type.Integer({ minimum: 1 }),
    missing: Type.Array(Type.Integer({ minimum: 1 }), { description: 'Indices of which nothing has arrived' }),
    parts: Type.Array(RunPart, { description: 'What has arrived, by index' }),
  },
  { title: 'Shards' },
);
export type Shards = Static<typeof Shards>;

export const Run = Type.Object(
  {
    id: Id,
    projectId: Id,
    status: Type.String({ description: 'The worst of its parts; `running` while any of them is sent' }),
    startTime: Time,
    duration: Nullable(Type.Number()),
    totalTests: Count,
    passedTests: Count,
    failedTests: Count,
    skippedTests: Count,
    flakyTests: Count,
    avgTestDuration: Nullable(Type.Integer()),
    p90TestDuration: Nullable(Type.Number()),
    branch: Nullable(Type.String()),
    commit: Nullable(Type.String()),
    author: Nullable(Type.String(), { description: 'Who made the commit, if the metadata says' }),
    commitMessage: Nullable(Type.String(), { description: 'Its first line, if the metadata says' }),
    environment: Nullable(Type.String(), {
      description: 'What it ran against, such as staging: `environment` of the metadata',
    }),
    pullRequest: Nullable(Type.Integer({ minimum: 1 }), { description: '`scm.pullRequest.number` of the metadata' }),
    baseCommit: Nullable(Type.String(), {
      description: 'The commit of the default branch that it is based on: `scm.baseCommit` of the metadata',
    }),
    filtered: Nullable(Type.Boolean(), {
      description:
        'Whether only some of the tests were asked for, as by a file or a pattern: `filtered` of the metadata; null when its sender did not say',
    }),
    createdAt: Time,
    expectedTests: Nullable(Count, {
      description: 'While it runs: how many tests its senders expect in all; null when none of them said',
    }),
    missingTests: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Once it has ended: tests that were announced and never came' }),
    ),
    shards: Nullable(Shards, { description: 'Null for a run that did not come in shards' }),
    pinned: Type.Optional(Type.Literal(true, { description: 'Retention deletes neither it nor its files' })),
    filesRemovedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When retention deleted its reports, traces and attachments; its results stay',
      }),
    ),
    damaged: Type.Optional(
      Type.Literal(true, { description: 'What is stored of it cannot all be read; lists and figures go without it' }),
    ),
  },
  { title: 'Run' },
);
export type Run = Static<typeof Run>;

/** Only answers about one run have it. */
export const runMetadata = Type.Unknown({
  description: 'As it was submitted; null when it was not, or when an older version stored more than 1 MiB of it',
});

export const Report = Type.Object(
  {
    id: Id,
    type: Type.String(),
    label: Type.String(),
    path: Type.String({ description: 'To be read at `/api/files/`' }),
    size: Bytes,
  },
  { title: 'Report' },
);
export type Report = Static<typeof Report>;
