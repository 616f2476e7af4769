import type { Cluster, ClusterState } from '@assay/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useAddressPart } from '../../address.ts';
import { requestPage } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { useNow } from '../../ui/clock.ts';
import { Failure } from '../../ui/failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { ProjectFrame } from '../project/project-frame.tsx';
import { useWindow } from '../window/window.ts';
import { Annotation } from './annotation.tsx';
import { LifeMark } from './life-mark.tsx';
import { SeenRun } from './seen-run.tsx';
import { STATE_LABELS } from './words.ts';
import styles from './clusters.module.css';

const ALL = 'all';
const STATES = Object.keys(STATE_LABELS) as ClusterState[];
const CHOICES = [
  { value: ALL, label: 'All' },
  ...STATES.map((state) => ({ value: state, label: STATE_LABELS[state] })),
];

/** Why tests of a project failed in all runs, and whether it goes on. */
export const ClustersPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const [chosenState, setState] = useAddressPart('state', ALL);
  const state = STATES.find((known) => known === chosenState);
  const [text, setText] = useAddressPart('q', '');
  const q = useDeferredValue(text.trim());
  const asked = { ...(state && { state }), ...(q && { q }) };
  const query = useInfiniteQuery({
    queryKey: ['listClusters', { params: { id } }, asked],
    queryFn: ({ pageParam, signal }) =>
      requestPage('listClusters', { params: { id }, query: { ...asked, ...pageParam } }, signal),
    initialPageParam: {},
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : { cursor: nextCursor }),
    placeholderData: keepPreviousData,
  });
  const clusters = query.data?.pages.flatMap(({ body }) => body.clusters) ?? [];
  const unread = query.data?.pages.at(-1)?.body.unreadRuns ?? 0;
  return (
    <ProjectFrame projectId={id} title="Clusters of failures" window={chosen} hideWindow>
      <Panel
        title="Clusters of failures"
        note="failures of one cause over all runs, the last seen first"
        actions={
          <>
            {clusters.length > 0 && <CsvButton name="clusters" rows={() => clusters} />}
            <SearchField
              label="Search in causes"
              value={text}
              onChange={(value) => setText(value, { replace: true })}
            />
          </>
        }
      >
        <div className={styles['bar']}>
          <Choice label="State" value={state ?? ALL} options={CHOICES} onChange={setState} />
        </div>
        {unread > 0 && (
          <p className={styles['unread']}>
            {countOf(unread, 'older run')} {unread === 1 ? 'is' : 'are'} still being read and not part of the figures.
          </p>
        )}
        <div aria-busy={query.isPlaceholderData}>
          <Loaded query={query} rows={8}>
            {() =>
              clusters.length > 0 ? (
                <ClusterTable clusters={clusters} />
              ) : (
                <NoClusters
                  state={state}
                  q={q}
                  hasMore={query.hasNextPage}
                  onClear={() => (setText(''), setState(ALL))}
                />
              )
            }
          </Loaded>
        </div>
        {query.hasNextPage && (
          <div className={styles['more']}>
            <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
            </Button>
            <Failure error={query.isFetchNextPageError ? query.error : null} />
          </div>
        )}
      </Panel>
    </ProjectFrame>
  );
};

interface NoneProps {
  readonly state: ClusterState | undefined;
  readonly q: string;
  /** Older ones were not looked at. */
  readonly hasMore: boolean;
  readonly onClear: () => void;
}

const NoClusters = ({ state, q, hasMore, onClear }: NoneProps) =>
  hasMore ? (
    <Empty title="None of those that were seen last">
      <p>Older clusters were not looked at yet.</p>
    </Empty>
  ) : state === undefined && !q ? (
    <Empty title="No failures with an error">
      <p>No stored run of this project has a result that failed with an error.</p>
    </Empty>
  ) : (
    <Empty title={q ? `No cause contains “${q}”` : `No cluster is ${STATE_LABELS[state!].toLowerCase()}`}>
      {q && state && <p>Only clusters that are {STATE_LABELS[state].toLowerCase()} were looked at.</p>}
      <Button onClick={onClear}>Show all</Button>
    </Empty>
  );

const ClusterTable = ({ clusters }: { readonly clusters: readonly Cluster[] }) => {
  const now = useNow();
  const columns: readonly Column<Cluster>[] = [
    {
      title: 'Cluster',
      wide: true,
      cell: (cluster) => (
        <div className={styles['cluster']}>
          <Link to={paths.cluster(cluster.id)}>
            <code>{cluster.cause || 'An error without words'}</code>
          </Link>
          {cluster.joined > 0 && <span>with {countOf(cluster.joined, 'joined cause')}</span>}
          <Annotation cluster={cluster} now={now} />
        </div>
      ),
    },
    { title: 'State', wide: true, cell: ({ life }) => <LifeMark life={life} /> },
    { title: 'Failures', number: true, cell: ({ failures }) => formatCount(failures) },
    { title: 'Runs', number: true, cell: ({ runs }) => formatCount(runs) },
    { title: 'First seen', cell: ({ firstSeen }) => <SeenRun run={firstSeen} /> },
    { title: 'Last seen', cell: ({ lastSeen }) => <SeenRun run={lastSeen} /> },
  ];
  return <Table label="Clusters of failures" columns={columns} rows={clusters} keyOf={({ id }) => id} stacked />;
};
