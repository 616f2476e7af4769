import { PAGES } from '@assay/contract';

type PageName = keyof typeof PAGES;
type Query = Readonly<Record<string, string | undefined>>;

const fill = (page: PageName, id?: number, query: Query = {}): string => {
  const path = PAGES[page].replace(':id', String(id));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};

/** Where each page is. */
export const paths = {
  projects: () => fill('projects'),
  project: (id: number, query?: Query) => fill('project', id, query),
  tests: (projectId: number, query?: Query) => fill('tests', projectId, query),
  slowTests: (projectId: number, query?: Query) => fill('slowTests', projectId, query),
  flakyTests: (projectId: number, query?: Query) => fill('flakyTests', projectId, query),
  causes: (projectId: number, query?: Query) => fill('causes', projectId, query),
  clusters: (projectId: number, query?: Query) => fill('clusters', projectId, query),
  cluster: (id: number) => fill('cluster', id),
  query: (projectId: number, query?: Query) => fill('query', projectId, query),
  branches: (projectId: number, query?: Query) => fill('branches', projectId, query),
  owners: (projectId: number, query?: Query) => fill('owners', projectId, query),
  retention: (projectId: number) => fill('retention', projectId),
  test: (id: number, query?: Query) => fill('test', id, query),
  run: (id: number, query?: Query) => fill('run', id, query),
  runNetwork: (id: number, query?: Query) => fill('runNetwork', id, query),
  runCompare: (id: number, query?: Query) => fill('runCompare', id, query),
  runTimeline: (id: number, query?: Query) => fill('runTimeline', id, query),
  testCase: (id: number, query?: Query) => fill('testCase', id, query),
  users: () => fill('users'),
  keys: (query?: Query) => fill('keys', undefined, query),
  sessions: () => fill('sessions'),
  storage: () => fill('storage'),
  login: (query?: Query) => fill('login', undefined, query),
  setup: () => fill('setup'),
  send: (query?: Query) => fill('send', undefined, query),
  docs: () => fill('docs'),
  expressions: (query?: Query) => fill('expressions', undefined, query),
} satisfies Record<PageName, unknown>;
