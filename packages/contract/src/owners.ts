import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { MAX_OWNERS_OF_FILE } from './limits.ts';
import { Count, Nullable, Time } from './schema.ts';
import { latestRuns, windowQuery } from './window.ts';

export const Owners = Type.Array(Type.String(), {
  maxItems: MAX_OWNERS_OF_FILE,
  description: `By the CODEOWNERS file of the project, the first ${MAX_OWNERS_OF_FILE}; empty when nobody owns it, left out when the project has no such file`,
});

/** What an owner has among the tests of a project. */
export const OwnerFigures = Type.Object(
  {
    owner: Nullable(Type.String(), { description: 'Null stands for tests that nobody owns' }),
    tests: Count,
    failing: Type.Integer({ minimum: 0, description: 'Tests whose latest result is a failure' }),
    flaky: Type.Integer({ minimum: 0, description: 'Tests that were flaky at least once' }),
    passedRuns: Count,
    failedRuns: Count,
    lastFailure: Nullable(Time),
  },
  { title: 'OwnerFigures' },
);
export type OwnerFigures = Static<typeof OwnerFigures>;

export const ProjectOwners = Type.Object(
  {
    known: Type.Boolean({ description: 'Whether a CODEOWNERS file was told' }),
    owners: Type.Array(OwnerFigures, {
      description: 'Most failing tests first; a test of several owners counts for each of them',
    }),
  },
  { title: 'ProjectOwners' },
);
export type ProjectOwners = Static<typeof ProjectOwners>;

export const ownerEndpoints = {
  listOwners: endpoint({
    method: 'GET',
    path: '/api/projects/{id}/owners',
    access: 'public',
    group: 'Projects',
    summary: 'Who owns the tests of a project, and how they do',
    params: Type.Object({ id: Id }),
    query: Type.Object({ ...windowQuery, runs: latestRuns }),
    reply: ProjectOwners,
    errors: ['invalid_id', 'invalid_query', 'project_not_found'],
  }),
};
