import type { ClusterDetails } from '@assay/contract';
import { ApiError } from '@assay/contract/request';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { useRights } from '../../api/session.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useNow } from '../../ui/clock.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { FailedTests } from '../causes/cause-failures.tsx';
import { ErrorText } from '../error/error-text.tsx';
import { projectQuery } from '../project/project-query.ts';
import { Annotation } from './annotation.tsx';
import { EditCluster } from './edit-cluster.tsx';
import { JoinedCauses, SimilarClusters } from './join-clusters.tsx';
import { LifeMark } from './life-mark.tsx';
import { SeenRun } from './seen-run.tsx';
import { judgedWords } from './words.ts';
import styles from './clusters.module.css';

/** One problem: the failures of one cause, over all runs. */
export const ClusterPage = ({ id }: { readonly id: number }) => {
  const query = useQuery(ask('getCluster', { params: { id } }));
  if (query.data) return <ClusterOf cluster={query.data} />;
  const gone = query.error instanceof ApiError && query.error.status === 404;
  return (
    <Page title={`Cluster ${id}`} crumbs={[{ label: 'Projects', to: paths.projects() }]}>
      {gone ? (
        <Empty title={`There is no cluster ${id}`}>
          <p>The runs that showed it may have been deleted, or the address is mistyped.</p>
          <Link to={paths.projects()} className={buttonClass({})}>
            All projects
          </Link>
        </Empty>
      ) : (
        <Loaded query={query} rows={8}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
};

const ClusterOf = ({ cluster }: { readonly cluster: ClusterDetails }) => {
  const { data: project } = useQuery(projectQuery(cluster.projectId));
  const { submitter } = useRights();
  const [editing, setEditing] = useState(false);
  const now = useNow();
  const { life, tests } = cluster;
  return (
    <Page
      title={`Cluster ${cluster.id}`}
      heading={<code className={styles['heading']}>{cluster.cause || 'An error without words'}</code>}
      crumbs={[
        { label: 'Projects', to: paths.projects() },
        ...(project ? [{ label: project.label ?? project.name, to: paths.project(cluster.projectId) }] : []),
        { label: 'Clusters', to: paths.clusters(cluster.projectId) },
      ]}
      about={<LifeMark life={life} />}
      actions={submitter && <Button onClick={() => setEditing(true)}>Edit note…</Button>}
    >
      {cluster.joinedTo !== null && (
        <Notice>
          <p>
            It was joined with <Link to={paths.cluster(cluster.joinedTo)}>cluster {cluster.joinedTo}</Link>, which has
            its failures too.
          </p>
        </Notice>
      )}
      {cluster.unreadRuns > 0 && (
        <Notice>
          {countOf(cluster.unreadRuns, 'older run')} {cluster.unreadRuns === 1 ? 'is' : 'are'} still being read and not
          part of the figures.
        </Notice>
      )}
      <Annotation cluster={cluster} now={now} />
      <Panel padded>
        <Figures>
          <Figure label="Failures" value={formatCount(cluster.failures)} />
          <Figure label="Runs" value={formatCount(cluster.runs)} note="that show it" />
          <Figure label="First seen" value={<SeenRun run={cluster.firstSeen} />} />
          <Figure label="Last seen" value={<SeenRun run={cluster.lastSeen} />} />
        </Figures>
        <details className={styles['judged']}>
          <summary>How its state is judged</summary>
          {judgedWords(life).map((words) => (
            <p key={words}>{words}</p>
          ))}
        </details>
      </Panel>
      {cluster.sample && (
        <Panel
          title="Error"
          note={
            <>
              of a{' '}
              <Link to={paths.testCase(cluster.sample.result.testCaseId)}>
                result in run #{cluster.sample.result.id}
              </Link>
            </>
          }
          padded
        >
          <ErrorText text={cluster.sample.error} lines={30} />
          {cluster.places.length > 0 && (
            <ul className={styles['places']} aria-label="Where it was thrown">
              {cluster.places.map((place) => (
                <li key={place}>
                  <PathText path={place} />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
      <SimilarClusters cluster={cluster} />
      <JoinedCauses cluster={cluster} />
      {tests.totalTests > 0 && (
        <Panel
          title="Tests"
          note={`${countOf(tests.totalFailures, 'failure')} of ${countOf(tests.totalTests, 'test')} in the latest ${countOf(cluster.latestRuns.length, 'run')} that show it`}
          padded
        >
          <FailedTests found={tests} />
        </Panel>
      )}
      <div className={styles['shares']}>
        <SharesPanel
          title="Branches"
          rows={cluster.branches.map(({ branch, ...seen }) => ({ name: branch, ...seen }))}
        />
        <SharesPanel
          title="Environments"
          rows={cluster.environments.map(({ environment, ...seen }) => ({ name: environment, ...seen }))}
        />
      </div>
      <RunsPanel runs={cluster.latestRuns} of={cluster.runs} />
      {editing && <EditCluster cluster={cluster} onClose={() => setEditing(false)} />}
    </Page>
  );
};

interface ShareRow {
  readonly name: string | null;
  readonly runs: number;
  readonly lastSeen: string;
}

const SharesPanel = ({ title, rows }: { readonly title: string; readonly rows: readonly ShareRow[] }) => {
  // One that nobody named says nothing.
  if (rows.every(({ name }) => name === null)) return null;
  const columns: readonly Column<ShareRow>[] = [
    { title: 'Name', cell: ({ name }) => name ?? 'not named' },
    { title: 'Runs', number: true, cell: ({ runs }) => formatCount(runs) },
    { title: 'Last seen', cell: ({ lastSeen }) => <Time value={lastSeen} /> },
  ];
  return (
    <Panel title={title}>
      <Table label={title} columns={columns} rows={rows} keyOf={({ name }) => name ?? ''} />
    </Panel>
  );
};

type ShowingRun = ClusterDetails['latestRuns'][number];

const RUN_COLUMNS: readonly Column<ShowingRun>[] = [
  { title: 'Run', cell: ({ id }) => <Link to={paths.run(id)}>#{id}</Link> },
  { title: 'Failures', number: true, cell: ({ failures }) => formatCount(failures) },
  { title: 'Branch', cell: ({ branch }) => branch ?? '' },
  { title: 'Commit', cell: ({ commit }) => commit && <code>{commit.slice(0, 10)}</code> },
  { title: 'Started', cell: ({ startTime }) => <Time value={startTime} /> },
];

const RunsPanel = ({ runs, of }: { readonly runs: readonly ShowingRun[]; readonly of: number }) => (
  <Panel title="Runs" note={runs.length < of ? `the latest ${formatCount(runs.length)} of ${formatCount(of)}` : ''}>
    {runs.length > 0 ? (
      <Table label="Runs that show it" columns={RUN_COLUMNS} rows={runs} keyOf={({ id }) => id} stacked />
    ) : (
      <Empty title="No stored run shows it">
        <p>The runs that did were deleted. What people said of it is kept for when it returns.</p>
      </Empty>
    )}
  </Panel>
);
