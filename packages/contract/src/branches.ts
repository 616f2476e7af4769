import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { RunRef } from './run-refs.ts';
import { Run } from './run.ts';
import { Count, Nullable, Time } from './schema.ts';

const AgainstDefault = Type.Object(
  {
    run: RunRef,
    by: Type.Union([Type.Literal('commit'), Type.Literal('time')], {
      description: 'Whether it ran the commit that the branch is based on, or is the latest before',
    }),
    newHere: Type.Integer({ minimum: 0, description: 'Tests that fail here and not in `run`' }),
    alsoFailing: Type.Integer({ minimum: 0, description: 'Tests that fail in both' }),
    fixedHere: Type.Integer({ minimum: 0, description: 'Tests that pass here and fail in `run`' }),
  },
  { title: 'BranchAgainstDefault' },
);
export type AgainstDefault = Static<typeof AgainstDefault>;

export const MOST_COMPARED_BRANCHES = 50;

export const Branch = Type.Object(
  {
    name: Type.String(),
    isDefault: Type.Boolean(),
    totalRuns: Count,
    lastActive: Time,
    latestRun: Run,
    againstDefault: Type.Optional(
      Nullable(AgainstDefault, {
        description:
          'With `compare`: the latest run against a run of the default branch; null where there is none, while it is running, and for branches beyond those that are compared',
      }),
    ),
  },
  { title: 'Branch' },
);
export type Branch = Static<typeof Branch>;

export const MOST_BRANCHES = 1_000;

export const branchEndpoints = {
  listBranches: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/branches',
    access: 'public',
    group: 'Projects',
    summary: 'The branches of a project with their latest run',
    description:
      'The default branch first, then the one whose latest run started last. Runs that name no branch are left out.',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only branches whose name contains this text' }),
      ),
      compare: Type.Optional(
        Type.Boolean({
          description: `Compare the latest runs of the first ${MOST_COMPARED_BRANCHES} branches with the default branch, test by test`,
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_BRANCHES, default: MOST_BRANCHES })),
    }),
    reply: Type.Array(Branch),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
