import { type Static, Type } from 'typebox';
import { CleanupReply } from './admin.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { Bytes, Count, Nullable, Time } from './schema.ts';

export const MOST_RETENTION_DAYS = 36_500;
export const MOST_RETAINED_RUNS = 1_000_000;
export const MOST_KEPT_BRANCHES = 50;

const Days = (description: string) => Nullable(Type.Integer({ minimum: 1, maximum: MOST_RETENTION_DAYS, description }));

/** Null is no limit. */
export const RetentionSettings = Type.Object(
  {
    days: Days('Runs that started more than so many days ago are deleted'),
    runs: Nullable(
      Type.Integer({ minimum: 1, maximum: MOST_RETAINED_RUNS, description: 'Of each project the newest so many stay' }),
    ),
    bytes: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'While a project stores more, as `/api/admin/storage` counts it, its oldest runs are deleted; its newest finished run stays',
      }),
    ),
    fileDays: Days(
      'Reports, traces and attachments of runs that started more than so many days ago are deleted; the results stay',
    ),
    keepBranches: Type.Array(Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH }), {
      maxItems: MOST_KEPT_BRANCHES,
      description: 'Runs of these branches stay, with their files; `*` stands for any text, as in `release/*`',
    }),
  },
  { title: 'RetentionSettings' },
);
export type RetentionSettings = Static<typeof RetentionSettings>;

/** What is left out is no limit. */
const RetentionInput = Type.Partial(RetentionSettings, { title: 'RetentionInput' });
export type RetentionInput = Static<typeof RetentionInput>;

const OwnSettings = Nullable(RetentionSettings, {
  description: "The project's own; null while those of the installation apply to it",
});

export const ProjectRetention = Type.Object(
  { settings: OwnSettings, installation: RetentionSettings },
  { title: 'ProjectRetention' },
);
export type ProjectRetention = Static<typeof ProjectRetention>;

export const InstallationRetention = Type.Object(
  {
    settings: RetentionSettings,
    lastRunAt: Nullable(Time, { description: 'When runs were last looked through, by schedule or request' }),
    projects: Type.Array(
      Type.Object({ id: Id, name: Type.String(), label: Nullable(Type.String()), settings: RetentionSettings }),
      { description: 'Those with settings of their own' },
    ),
  },
  { title: 'InstallationRetention' },
);
export type InstallationRetention = Static<typeof InstallationRetention>;

const Reason = Type.Union([Type.Literal('age'), Type.Literal('runs'), Type.Literal('bytes'), Type.Literal('files')], {
  description: 'Which limit it is beyond; with `files` the run stays and its files go',
});

const ExpiredRun = Type.Object(
  {
    id: Id,
    projectId: Id,
    startTime: Time,
    branch: Nullable(Type.String()),
    status: Type.String(),
    reason: Reason,
  },
  { title: 'ExpiredRun' },
);
export type ExpiredRun = Static<typeof ExpiredRun>;

export const RetentionPreview = Type.Object(
  {
    runs: Type.Integer({ minimum: 0, description: 'That would be deleted' }),
    results: Type.Integer({ minimum: 0, description: 'Of these runs' }),
    strippedRuns: Type.Integer({ minimum: 0, description: 'That would lose their files only' }),
    reports: Count,
    traces: Count,
    attachments: Count,
    fileBytes: Type.Integer({
      minimum: 0,
      description: 'Reports, traces and attachments, each counted in full; contents that other runs share stay',
    }),
    databaseBytes: Type.Integer({ minimum: 0, description: 'As stored, without summaries' }),
    kept: Type.Object(
      { pinned: Count, branch: Count, live: Count },
      { description: 'Runs beyond a limit that stay: pinned ones, those of kept branches, those not complete yet' },
    ),
    projects: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        label: Nullable(Type.String()),
        archived: Type.Boolean(),
        runs: Count,
        strippedRuns: Count,
        runsLeft: Count,
        bytesOver: Type.Integer({ minimum: 0, description: 'What it would store above its limit even then' }),
      }),
      { description: 'Those that would lose something, or store more than their limit' },
    ),
    first: Type.Array(ExpiredRun, { description: 'The first 20 runs that would go or lose their files' }),
  },
  { title: 'RetentionPreview' },
);
export type RetentionPreview = Static<typeof RetentionPreview>;

const Growth = {
  bytesPerDay: Nullable(Type.Number(), {
    description: 'By the last four weeks; null when fewer than seven days were recorded',
  }),
  fullAt: Nullable(Time, {
    description: 'Null when it is not known, not growing, or more than ten years ahead',
  }),
};

export const StorageForecast = Type.Object(
  {
    recordedDays: Type.Integer({ minimum: 0, description: 'Days of the last four weeks whose sizes were recorded' }),
    freeBytes: Nullable(Bytes, {
      description:
        'On the disk of the data directory; null when it cannot be told, or neither database nor files are on it',
    }),
    ...Growth,
    projects: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        label: Nullable(Type.String()),
        bytes: Bytes,
        limitBytes: Bytes,
        ...Growth,
      }),
      { description: 'Those that may store only so many bytes; `fullAt` is when the oldest runs begin to go' },
    ),
  },
  { title: 'StorageForecast' },
);
export type StorageForecast = Static<typeof StorageForecast>;

const ofProject = Type.Object({ id: Id });
const bodyErrors = ['invalid_body', 'body_too_large', 'unsupported_media_type'] as const;

export const retentionEndpoints = {
  getRetention: endpoint({
    method: 'GET',
    path: '/api/admin/retention',
    access: 'administrator',
    group: 'Administration',
    summary: 'How long runs and their files are kept',
    description:
      'Every hour the service deletes what is beyond the limits. The settings of a project take the place of those of the installation. Pinned runs, runs of kept branches and runs that are not complete stay.',
    reply: InstallationRetention,
    errors: [],
  }),
  setRetention: endpoint({
    method: 'PUT',
    path: '/api/admin/retention',
    access: 'administrator',
    group: 'Administration',
    summary: 'Set how long runs and their files are kept where a project does not say otherwise',
    description: 'Without limits everything is kept.',
    body: RetentionInput,
    reply: InstallationRetention,
    errors: bodyErrors,
  }),
  previewRetention: endpoint({
    method: 'POST',
    path: '/api/admin/retention/preview',
    access: 'administrator',
    group: 'Administration',
    summary: 'What such settings would delete now, of the projects without settings of their own',
    description: 'Changes nothing.',
    body: RetentionInput,
    reply: RetentionPreview,
    errors: bodyErrors,
  }),
  runRetention: endpoint({
    method: 'POST',
    path: '/api/admin/retention/run',
    access: 'administrator',
    group: 'Administration',
    summary: 'Delete what is beyond the limits now, and not only with the next hour',
    description: 'While it is under way already, the answer is that of the deletion under way.',
    reply: CleanupReply,
    errors: ['storage_full'],
  }),
  getProjectRetention: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/retention',
    access: 'administrator',
    group: 'Projects',
    summary: 'How long the runs of a project and their files are kept',
    params: ofProject,
    reply: ProjectRetention,
    errors: ['invalid_id', 'project_not_found'],
  }),
  setProjectRetention: endpoint({
    method: 'PUT',
    path: '/api/projects/{id}/retention',
    access: 'administrator',
    group: 'Projects',
    summary: 'Set how long the runs of a project and their files are kept',
    description: 'With `null` the settings of the installation apply; settings without limits keep everything.',
    params: ofProject,
    body: Type.Object({ settings: Nullable(RetentionInput) }),
    reply: ProjectRetention,
    errors: ['invalid_id', ...bodyErrors, 'project_not_found'],
  }),
  previewProjectRetention: endpoint({
    method: 'POST',
    path: '/api/projects/{id}/retention/preview',
    access: 'administrator',
    group: 'Projects',
    summary: 'What such settings would delete of a project now',
    description: 'Changes nothing. With `null` it is what the settings of the installation would delete.',
    params: ofProject,
    body: Type.Object({ settings: Nullable(RetentionInput) }),
    reply: RetentionPreview,
    errors: ['invalid_id', ...bodyErrors, 'project_not_found'],
  }),
  getForecast: endpoint({
    method: 'GET',
    path: '/api/admin/forecast',
    access: 'administrator',
    group: 'Administration',
    summary: 'When the disk, or what a project may store, is full',
    description: 'By how stored bytes grew: the service records them once a day.',
    reply: StorageForecast,
    errors: [],
  }),
};
