/** The paths of the web interface. A part that starts with a colon is an id. */
export const PAGES = {
  projects: '/',
  project: '/projects/:id',
  tests: '/projects/:id/tests',
  slowTests: '/projects/:id/slow',
  flakyTests: '/projects/:id/flaky',
  causes: '/projects/:id/causes',
  branches: '/projects/:id/branches',
  owners: '/projects/:id/owners',
  retention: '/projects/:id/retention',
  test: '/tests/:id',
  run: '/test-runs/:id',
  runNetwork: '/test-runs/:id/network',
  runCompare: '/test-runs/:id/compare',
  runTimeline: '/test-runs/:id/timeline',
  testCase: '/test-cases/:id',
  users: '/settings/users',
  keys: '/settings/keys',
  sessions: '/settings/sessions',
  storage: '/settings/storage',
  login: '/login',
  setup: '/setup',
  send: '/send',
  docs: '/docs',
  expressions: '/docs/expressions',
} as const;

export type PageName = keyof typeof PAGES;
