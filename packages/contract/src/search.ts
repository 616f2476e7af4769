import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { ProjectName } from './project-name.ts';
import { RunRef } from './run-refs.ts';
import { Nullable } from './schema.ts';

export const FoundRun = Type.Object({ ...RunRef.properties, project: ProjectName }, { title: 'FoundRun' });
export type FoundRun = Static<typeof FoundRun>;

export const FoundTest = Type.Object(
  {
    id: Id,
    title: Type.String(),
    filePath: Type.String(),
    browser: Nullable(Type.String()),
    project: ProjectName,
  },
  { title: 'FoundTest' },
);
export type FoundTest = Static<typeof FoundTest>;

export const FoundError = Type.Object(
  { clusterId: Id, cause: Type.String(), project: ProjectName },
  { title: 'FoundError', description: 'A cluster of failures' },
);
export type FoundError = Static<typeof FoundError>;

const SearchedNewest = Nullable(
  Type.Integer({ minimum: 1, description: 'The search ended after so many of the newest; null when it left none out' }),
);

export const SearchReply = Type.Object(
  {
    projects: Type.Array(ProjectName),
    runs: Type.Array(FoundRun),
    tests: Type.Array(FoundTest),
    errors: Type.Array(FoundError),
    searchedNewest: Type.Object({ runs: SearchedNewest, tests: SearchedNewest, errors: SearchedNewest }),
  },
  { title: 'SearchReply' },
);
export type SearchReply = Static<typeof SearchReply>;

export const searchEndpoints = {
  searchEverything: endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'public',
    group: 'Search',
    summary: 'Projects, runs, tests and errors that have all words of a text',
    description:
      'Projects by name and label; runs by number (`12` or `#12`), branch and beginning of the commit; tests by title and file; clusters of failures by cause. Capital and small letters are the same. Newest first. What archived projects have is left out, except for runs by number. A search that finds too little ends after the newest 200,000 runs, tests and clusters, and `searchedNewest` says so.',
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200, description: 'Words' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Most of each kind' })),
    }),
    reply: SearchReply,
    errors: ['invalid_query'],
  }),
};
