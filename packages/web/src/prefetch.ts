import { PAGES, type PageName } from '@assay/contract';
import { ask, queryClient } from './api/client.ts';

/** What a page asks for first; a link that is pointed at has it fetched. */
const FIRST_ASKED: Partial<Record<PageName, (id: number) => Promise<void>>> = {
  project: (id) => queryClient.prefetchQuery(ask('getProject', { params: { id }, query: { limit: 1 } })),
  run: (id) => queryClient.prefetchQuery(ask('getRun', { params: { id }, query: { details: false } })),
  runNetwork: (id) => queryClient.prefetchQuery(ask('listRunRequests', { params: { id } })),
  runTimeline: (id) => queryClient.prefetchQuery(ask('getRun', { params: { id }, query: { details: false } })),
  testCase: (id) => queryClient.prefetchQuery(ask('getTestCase', { params: { id } })),
  test: (id) => queryClient.prefetchQuery(ask('getTest', { params: { id }, query: {} })),
};

const PATTERNS = Object.entries(PAGES).map(
  ([name, path]) => [name as PageName, new RegExp(`^${path.replace(':id', '(\\d+)')}$`)] as const,
);

export const prefetchPage = (to: string): void => {
  const path = to.split('?', 1)[0]!;
  for (const [name, pattern] of PATTERNS) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined) void FIRST_ASKED[name]?.(Number(id));
  }
};
