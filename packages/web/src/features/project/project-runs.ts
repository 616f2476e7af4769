import type { WindowQuery } from '@assay/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type PageOf, ask, requestPage } from '../../api/client.ts';
import { useUnlessRead } from '../../ui/being-read.ts';
import { RUNS_ON_FIRST_PAGE } from './project-query.ts';
import { type ProjectDetails, type Run, type RunPage, holdRuns, mergeRuns } from './runs.ts';

const PAGE_OF_OLDER = 1000;

export interface OlderRuns {
  readonly state: 'none' | 'loading' | 'more' | 'failed';
  readonly load: () => void;
}

/**
 * The runs of a project as far as they are known. The latest are asked for again with every event; older ones hardly
 * change, so that they come once: the latest 1,000 by themselves, the others when asked for.
 */
export const useProjectRuns = (projectId: number, window: WindowQuery) => {
  const params = { id: projectId };
  const query = useQuery(ask('getProject', { params, query: { ...window, limit: RUNS_ON_FIRST_PAGE } }));
  const page = query.data?.testRuns;
  const older = useInfiniteQuery({
    queryKey: ['olderRuns', projectId, window],
    queryFn: ({ pageParam, signal }) =>
      requestPage('getProject', { params, query: { ...window, ...pageParam, limit: PAGE_OF_OLDER } }, signal),
    initialPageParam: {},
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
    enabled: page?.length === RUNS_ON_FIRST_PAGE,
    staleTime: Infinity,
  });
  const [known, setKnown] = useState<Known>({ page: undefined, older: undefined, runs: [] });
  if (page !== known.page || older.data !== known.older) {
    let { runs } = known;
    if (older.data !== known.older) for (const each of older.data?.pages ?? []) runs = mergeRuns(runs, olderPage(each));
    if (page) runs = mergeRuns(runs, { runs: page, first: true, last: page.length < RUNS_ON_FIRST_PAGE });
    setKnown({ page, older: older.data, runs });
  }
  const load = (): void => void (older.isError && !older.data ? older.refetch() : older.fetchNextPage());
  return { query, runs: known.runs, older: { state: stateOf(older), load } };
};

interface Known {
  readonly page: readonly Run[] | undefined;
  readonly older: object | undefined;
  readonly runs: readonly Run[];
}

/** May be from the cache, so that newer runs than it has are known already. */
const olderPage = ({ body, nextCursor }: PageOf<ProjectDetails>): RunPage => ({
  runs: body.testRuns,
  first: false,
  last: nextCursor === null,
});

const stateOf = (older: { isFetching: boolean; isError: boolean; hasNextPage: boolean }): OlderRuns['state'] => {
  if (older.isFetching) return 'loading';
  if (older.isError) return 'failed';
  return older.hasNextPage ? 'more' : 'none';
};

/** Runs that move nothing while the region is being read: those that would wait until they are asked for. */
export const useHeldRuns = (latest: readonly Run[]) => {
  const { region, taken, show } = useUnlessRead(latest);
  const held = useMemo(() => holdRuns(taken, latest), [taken, latest]);
  return { region, ...held, show };
};
