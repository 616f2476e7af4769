import { PAGES, type PageName } from '@assay/contract';
import type { ComponentType } from 'react';
import { ProjectsPage } from './features/projects/projects-page.tsx';
import { later } from './features/shell/page-code.tsx';

type PageOf = ComponentType<{ readonly id: number }>;

const pages: Record<PageName, PageOf> = {
  projects: ProjectsPage,
  project: later(async () => (await import('./features/project/project-page.tsx')).ProjectPage),
  tests: later(async () => (await import('./features/tests/tests-page.tsx')).TestsPage),
  slowTests: later(async () => (await import('./features/slow-tests/slow-tests-page.tsx')).SlowTestsPage),
  flakyTests: later(async () => (await import('./features/flaky-tests/flaky-tests-page.tsx')).FlakyTestsPage),
  causes: later(async () => (await import('./features/causes/causes-page.tsx')).CausesPage),
  clusters: later(async () => (await import('./features/clusters/clusters-page.tsx')).ClustersPage),
  query: later(async () => (await import('./features/views/query-page.tsx')).QueryPage),
  cluster: later(async () => (await import('./features/clusters/cluster-page.tsx')).ClusterPage),
  branches: later(async () => (await import('./features/branches/branches-page.tsx')).BranchesPage),
  owners: later(async () => (await import('./features/owners/owners-page.tsx')).OwnersPage),
  retention: later(async () => (await import('./features/retention/project-retention-page.tsx')).ProjectRetentionPage),
  test: later(async () => (await import('./features/test/test-page.tsx')).TestPage),
  run: later(async () => (await import('./features/run/run-page.tsx')).RunPage),
  runNetwork: later(async () => (await import('./features/network/network-page.tsx')).NetworkPage),
  runCompare: later(async () => (await import('./features/compare/compare-page.tsx')).ComparePage),
  runTimeline: later(async () => (await import('./features/timeline/timeline-page.tsx')).TimelinePage),
  testCase: later(async () => (await import('./features/case/case-page.tsx')).CasePage),
  users: later(async () => (await import('./features/settings/users-page.tsx')).UsersPage),
  keys: later(async () => (await import('./features/settings/keys-page.tsx')).KeysPage),
  sessions: later(async () => (await import('./features/settings/sessions-page.tsx')).SessionsPage),
  storage: later(async () => (await import('./features/settings/storage-page.tsx')).StoragePage),
  login: later(async () => (await import('./features/account/login-page.tsx')).LoginPage),
  setup: later(async () => (await import('./features/account/setup-page.tsx')).SetupPage),
  send: later(async () => (await import('./features/send/send-page.tsx')).SendPage),
  docs: later(async () => (await import('./features/docs/docs-page.tsx')).DocsPage),
  expressions: later(async () => (await import('./features/expressions/expressions-page.tsx')).ExpressionsPage),
};

export const ROUTES = Object.entries(PAGES).map(([name, path]) => ({ path, page: pages[name as PageName] }));
