import type { Run, WindowQuery } from '@assay/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { requestPage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { type StatusFilter, ofStatus } from './run-filter.ts';
import { RunHeads, RunRow } from './run-row.tsx';
import styles from './run-list.module.css';

const ROWS_PER_PAGE = 100;

interface Asked {
  readonly projectId: number;
  /** The chosen branch and days. */
  readonly window: WindowQuery;
  readonly filter: string;
}

/** Runs that a filter finds among all that are stored. */
export const useFoundRuns = ({ projectId, window, filter }: Asked) => {
  const asked = { over: 'runs', project: projectId, filter, limit: ROWS_PER_PAGE, ...window } as const;
  return useInfiniteQuery({
    queryKey: ['query', { params: { id: projectId } }, asked, 'pages'],
    queryFn: ({ pageParam, signal }) => requestPage('query', { query: { ...asked, ...pageParam } }, signal),
    initialPageParam: {},
    getNextPageParam: ({ body }) => (body.nextCursor === null ? null : { cursor: body.nextCursor }),
    placeholderData: keepPreviousData,
    enabled: filter !== '',
    retry: false,
  });
};

interface Props {
  readonly found: ReturnType<typeof useFoundRuns>;
  readonly status: StatusFilter;
  readonly rowHeight: number;
  readonly onClear: () => void;
}

export const FoundRuns = ({ found, status, rowHeight, onClear }: Props) => {
  const rows = ofStatus(found.data?.pages.flatMap(({ body }) => body.runs ?? []) ?? [], status);
  return (
    <>
      <div aria-busy={found.isPlaceholderData}>
        <Loaded query={found} rows={8}>
          {() =>
            rows.length > 0 ? (
              <>
                <RunHeads />
                <VirtualRows label="Runs" rows={rows} keyOf={idOf} rowHeight={rowHeight}>
                  {(run) => <RunRow run={run} usual={undefined} />}
                </VirtualRows>
              </>
            ) : (
              <Empty title={found.hasNextPage ? 'None found so far' : 'No runs match the filter'}>
                <Button onClick={onClear}>Clear filter</Button>
              </Empty>
            )
          }
        </Loaded>
      </div>
      {found.hasNextPage && (
        <div className={styles['older']}>
          <Button small disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {found.isFetchingNextPage ? 'Loading…' : 'Look at older runs'}
          </Button>
          <Failure error={found.isFetchNextPageError ? found.error : null} />
        </div>
      )}
    </>
  );
};

const idOf = ({ id }: Run): number => id;
