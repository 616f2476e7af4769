import { type Static, Type } from 'typebox';
import { CleanupReply } from './admin.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';
import { RepositoryUrl } from './project-name.ts';
import { RunPoint } from './run-refs.ts';
import { Run } from './run.ts';
import { RunWithReports } from './runs.ts';
import { Count, Maybe, Nullable, Time, paging } from './schema.ts';
import { windowQuery } from './window.ts';

export const MOST_TAGS = 20;
export const LONGEST_TAG = 40;

export const Project = Type.Object(
  {
    id: Id,
    name: Type.String(),
    label: Nullable(Type.String()),
    description: Nullable(Type.String()),
    repositoryUrl: RepositoryUrl,
    tags: Type.Array(Type.String(), { description: 'What projects are grouped by, as Administrators set them' }),
    archivedAt: Nullable(Time, { description: 'When it was archived; null while it is in use' }),
    createdAt: Time,
    updatedAt: Time,
    totalRuns: Count,
    totalTestCases: Type.Integer({ minimum: 0, description: 'Tests that have at least one result' }),
    latestRun: Nullable(Run),
    defaultBranch: Nullable(
      Type.String({
        description:
          'The branch that stands for the project: as set by an Administrator, else `main`, `master`, the one with most runs; null while no run names a branch',
      }),
    ),
    defaultBranchRun: Nullable(Run),
    recentRuns: Type.Optional(
      Type.Array(RunPoint, { description: 'With `recent`: of the default branch, oldest first' }),
    ),
  },
  { title: 'Project' },
);
export type Project = Static<typeof Project>;

export const ProjectDetails = Type.Object(
  { ...Project.properties, testRuns: Type.Array(RunWithReports) },
  { title: 'ProjectDetails' },
);
export type ProjectDetails = Static<typeof ProjectDetails>;

const editable = {
  label: Maybe(Type.String({ maxLength: 200 })),
  description: Maybe(Type.String({ maxLength: 10_000 })),
  defaultBranch: Maybe(Type.String({ maxLength: MAX_TEXT_LENGTH })),
  repositoryUrl: Maybe(
    Type.String({
      maxLength: MAX_TEXT_LENGTH,
      description: 'Where its code is, by http or https; commits and files are linked below it',
    }),
  ),
  tags: Maybe(
    Type.Array(Type.String({ maxLength: LONGEST_TAG }), {
      maxItems: MOST_TAGS,
      description: 'Without commas and control characters; of equal ones the first counts',
    }),
  ),
};

export const NewProject = Type.Object(
  {
    name: Type.String({ description: 'As runs will name it: 1–200 characters after trimming, no control characters' }),
    ...editable,
  },
  { title: 'NewProject' },
);
export type NewProject = Static<typeof NewProject>;

export const ProjectChange = Type.Object(
  {
    ...editable,
    archived: Type.Optional(
      Type.Boolean({
        description:
          'An archived project is left out of lists and searches. It can be read by its address, and runs that are submitted to it are stored; it stays archived',
      }),
    ),
  },
  { title: 'ProjectChange' },
);
export type ProjectChange = Static<typeof ProjectChange>;

const params = Type.Object({ id: Id });

export const projectEndpoints = {
  listProjects: endpoint({
    method: 'GET',
    path: '/api/projects',
    access: 'public',
    group: 'Projects',
    summary: 'All projects with their latest run',
    description: 'Newest activity first. Those that are archived are left out unless they are asked for.',
    query: Type.Object({
      ...paging,
      archived: Type.Optional(Type.Boolean({ description: 'Archived projects too' })),
      recent: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 60,
          description: 'How many of the latest runs of its default branch each project shows',
        }),
      ),
    }),
    reply: Type.Array(Project),
    errors: ['invalid_query'],
  }),
  createProject: endpoint({
    method: 'POST',
    path: '/api/projects',
    access: 'administrator',
    group: 'Projects',
    summary: 'Create a project before its first run',
    description: 'No need to: the first run that names a project creates it too.',
    body: NewProject,
    reply: Project,
    errors: ['invalid_body', 'body_too_large', 'unsupported_media_type', 'project_exists'],
  }),
  getProject: endpoint({
    method: 'GET',
    path: '/api/projects/{id}',
    access: 'public',
    group: 'Projects',
    summary: 'A project with its test runs',
    description: 'Newest run first. `limit` and `cursor` page the runs.',
    params,
    query: Type.Object({ ...paging, ...windowQuery }),
    reply: ProjectDetails,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
  deleteProject: endpoint({
    method: 'DELETE',
    path: '/api/projects/{id}',
    access: 'administrator',
    group: 'Projects',
    summary: 'Delete a project with all that it has',
    description:
      'Its runs, tests, reports, traces and attachments; `/api/admin/storage` says how many it has. A run that is submitted to its name afterwards makes a new project.',
    params,
    reply: CleanupReply,
    errors: ['invalid_id', 'project_not_found'],
  }),
  updateProject: endpoint({
    method: 'PUT',
    path: '/api/projects/{id}',
    access: 'administrator',
    group: 'Projects',
    summary: 'Change what is shown of a project, or archive it',
    description: 'A field that is left out stays; null clears it.',
    params,
    body: ProjectChange,
    reply: Project,
    errors: ['invalid_id', 'invalid_body', 'body_too_large', 'unsupported_media_type', 'project_not_found'],
  }),
};
