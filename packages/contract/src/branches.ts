import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Run } from './run.ts';
import { Count, Time } from './schema.ts';

export const Branch = Type.Object(
  {
    name: Type.String(),
    isDefault: Type.Boolean(),
    totalRuns: Count,
    lastActive: Time,
    latestRun: Run,
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
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_BRANCHES, default: MOST_BRANCHES })),
    }),
    reply: Type.Array(Branch),
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
