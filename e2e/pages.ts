import { expect, type Page } from '@playwright/test';
import type { Service } from './service.ts';

/** Where a journey through the demo begins: a project, its latest run, and the first failure of it if there is one. */
export interface Places {
  readonly project: number;
  readonly run: number;
  readonly test: number;
  readonly result: number;
  readonly cluster: number;
}

/** Of the project that has been red for a while, unless another one is named. */
export const findPlaces = async ({ client }: Service, name = 'back-office'): Promise<Places> => {
  const projects = await client.listProjects();
  const { id: project, latestRun } = projects.find((project) => project.name === name)!;
  const run = latestRun!.id;
  const { testCases } = await client.getRun({ params: { id: run } });
  const chosen = testCases.find(({ status }) => status === 'failed') ?? testCases[0]!;
  const { clusters } = await client.listClusters({ params: { id: project } });
  return { project, run, test: chosen.testId, result: chosen.id, cluster: clusters[0]?.id ?? 0 };
};

type Paths = Readonly<Record<string, string | ((places: Places) => string)>>;

/** Every page of a service that has runs, by a name. */
export const PAGES_WITH_RUNS = {
  projects: '/',
  'projects-none-found': '/?q=nothing+like+this',
  project: ({ project }) => `/projects/${project}`,
  tests: ({ project }) => `/projects/${project}/tests`,
  'tests-mistake': ({ project }) => `/projects/${project}/tests?filter=passrat%3A%3C90`,
  'slow-tests': ({ project }) => `/projects/${project}/slow`,
  'flaky-tests': ({ project }) => `/projects/${project}/flaky?days=90d&branch=*`,
  query: ({ project }) => `/projects/${project}/query?filter=status%3Afailed`,
  'query-groups': ({ project }) => `/projects/${project}/query?by=cause&days=90`,
  'query-mistake': ({ project }) => `/projects/${project}/query?over=runs&filter=colour%3Ared`,
  branches: ({ project }) => `/projects/${project}/branches`,
  owners: ({ project }) => `/projects/${project}/owners`,
  retention: ({ project }) => `/projects/${project}/retention`,
  causes: ({ project }) => `/projects/${project}/causes`,
  'causes-none-found': ({ project }) => `/projects/${project}/causes?q=nothinglikethis`,
  clusters: ({ project }) => `/projects/${project}/clusters`,
  'clusters-none-found': ({ project }) => `/projects/${project}/clusters?q=nothinglikethis`,
  cluster: ({ cluster }) => `/clusters/${cluster}`,
  'cluster-not-found': '/clusters/999999',
  test: ({ test }) => `/tests/${test}`,
  run: ({ run }) => `/test-runs/${run}`,
  'run-by-file': ({ run }) => `/test-runs/${run}?view=file`,
  'run-by-cause': ({ run }) => `/test-runs/${run}?view=cause`,
  'run-none-found': ({ run }) => `/test-runs/${run}?filter=nothinglikethis`,
  'run-compared': ({ run }) => `/test-runs/${run}/compare`,
  'run-compared-green': ({ run }) => `/test-runs/${run}/compare?with=green`,
  'run-timeline': ({ run }) => `/test-runs/${run}/timeline`,
  'run-timeline-selected': ({ run, result }) => `/test-runs/${run}/timeline?result=${result}`,
  'run-network': ({ run }) => `/test-runs/${run}/network`,
  result: ({ result }) => `/test-cases/${result}`,
  'result-steps': ({ result }) => `/test-cases/${result}?tab=steps`,
  'result-requests': ({ result }) => `/test-cases/${result}?tab=requests`,
  'result-vitals': ({ result }) => `/test-cases/${result}?tab=vitals`,
  'result-console': ({ result }) => `/test-cases/${result}?tab=console`,
  'result-details': ({ result }) => `/test-cases/${result}?tab=details`,
  storage: '/settings/storage',
  send: '/send',
  'send-github': '/send?with=github',
  docs: '/docs',
  expressions: '/docs/expressions?filter=status%3Afailed+retries%3A%3E0',
  'expressions-too-costly': '/docs/expressions?as=js&filter=t+%3D%3E+%22a%22.repeat%289e5%29.length+%3E+0',
  'not-found': '/no/such/page',
  'run-not-found': '/test-runs/999999',
} satisfies Paths;

/** Pages that show the files of a run. */
export const PAGES_WITH_FILES = {
  run: ({ run }) => `/test-runs/${run}`,
  result: ({ result }) => `/test-cases/${result}`,
  'result-traces': ({ result }) => `/test-cases/${result}?tab=traces`,
  'result-console': ({ result }) => `/test-cases/${result}?tab=console`,
} satisfies Paths;

/** Every page that differs while there are neither runs nor accounts. */
export const PAGES_WITHOUT_RUNS = {
  projects: '/',
  users: '/settings/users',
  keys: '/settings/keys',
  sessions: '/settings/sessions',
  storage: '/settings/storage',
  login: '/login',
  setup: '/setup',
} satisfies Paths;

/** Pages for whoever is not signed in where accounts are asked for. */
export const PAGES_OF_STRANGERS = { login: '/login?next=%2Fsettings%2Fusers', setup: '/setup' } satisfies Paths;

/** Pages that show more to an Administrator who is signed in and has colleagues. */
export const PAGES_OF_ACCOUNTS = {
  users: '/settings/users',
  keys: '/settings/keys?user=2',
  'keys-none': '/settings/keys',
  sessions: '/settings/sessions',
  storage: '/settings/storage',
} satisfies Paths;

/** Goes to a path and waits until what it shows has come. */
export const show = async (page: Page, { url }: Service, path: string): Promise<void> => {
  await page.goto(url + path);
  await expectShown(page);
};

/** As a link of the page before would, which takes a fraction of the work of loading a document; the first is loaded. */
export const showNext = async (page: Page, service: Service, path: string): Promise<void> => {
  if (!page.url().startsWith(service.url)) {
    await show(page, service, path);
    return;
  }
  // The page before may stand until the next frame.
  const twoFrames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); ${twoFrames}`);
  await expectShown(page);
};

const expectShown = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
  // What was asked before stands pale until its successor has come.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
};
