import {
  type Cluster,
  type QueriedResult,
  type QueryGroup,
  type QueryGroupRow,
  type QueryReply,
  type Run,
  type Test,
  readAnsi,
} from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { LifeMark } from '../clusters/life-mark.tsx';
import { CaseMark, RunMark } from '../status/status-mark.tsx';
import { TestName } from '../status/test-name.tsx';
import { labelOfGroup } from './view-query.ts';
import styles from './views.module.css';

const LONGEST_ERROR = 200;

/** The first line of an error that says something, without colours. */
const firstLine = (error: string): string => {
  const plain = readAnsi(error).map(({ text }) => text);
  const line =
    plain
      .join('')
      .split('\n')
      .find((text) => text.trim() !== '') ?? '';
  return line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR)}…` : line;
};

const RESULTS: readonly Column<QueriedResult>[] = [
  {
    title: 'Result',
    wide: true,
    cell: ({ id, title, filePath, status, retries, error }) => (
      <div className={styles['result']}>
        <CaseMark status={status} retries={retries} />
        <div>
          <Link to={paths.testCase(id)}>{title}</Link>
          <span>{filePath}</span>
          {error !== null && <code>{firstLine(error)}</code>}
        </div>
      </div>
    ),
  },
  {
    title: 'Run',
    cell: ({ testRun }) => (
      <span className={styles['run']}>
        <Time value={testRun.startTime} />
        <Link to={paths.run(testRun.id)}>run #{testRun.id}</Link>
      </span>
    ),
  },
  { title: 'Branch', cell: ({ testRun }) => testRun.branch ?? '' },
  { title: 'Duration', number: true, cell: ({ duration }) => formatDuration(duration) },
];

const RUNS: readonly Column<Run>[] = [
  {
    title: 'Run',
    wide: true,
    cell: ({ id, status, commitMessage }) => (
      <div className={styles['result']}>
        <RunMark status={status} />
        <div>
          <Link to={paths.run(id)}>run #{id}</Link>
          {commitMessage && <span>{commitMessage}</span>}
        </div>
      </div>
    ),
  },
  { title: 'Started', cell: ({ startTime }) => <Time value={startTime} /> },
  { title: 'Branch', cell: ({ branch }) => branch ?? '' },
  { title: 'Failed', number: true, cell: ({ failedTests }) => formatCount(failedTests) },
  { title: 'Tests', number: true, cell: ({ totalTests }) => formatCount(totalTests) },
  { title: 'Duration', number: true, cell: ({ duration }) => formatDuration(duration) },
];

const TESTS: readonly Column<Test>[] = [
  { title: 'Test', wide: true, cell: (test) => <TestName test={test} /> },
  { title: 'Last run', cell: ({ lastRun }) => <Time value={lastRun} /> },
  { title: 'Runs', number: true, cell: ({ totalRuns }) => formatCount(totalRuns) },
  { title: 'Failed', number: true, cell: ({ failedRuns }) => formatCount(failedRuns) },
  { title: 'Flaky', number: true, cell: ({ flakyRuns }) => formatCount(flakyRuns) },
  { title: 'Average', number: true, cell: ({ avgDuration }) => formatDuration(avgDuration) },
];

const CLUSTERS: readonly Column<Cluster>[] = [
  {
    title: 'Cluster',
    wide: true,
    cell: ({ id, cause, note }) => (
      <div className={styles['result']}>
        <div>
          <Link to={paths.cluster(id)}>{cause || 'An error without words'}</Link>
          {note && <span>{note}</span>}
        </div>
      </div>
    ),
  },
  { title: 'Status', wide: true, cell: ({ life }) => <LifeMark life={life} /> },
  { title: 'Failures', number: true, cell: ({ failures }) => formatCount(failures) },
  { title: 'Runs', number: true, cell: ({ runs }) => formatCount(runs) },
  { title: 'Last seen', cell: ({ lastSeen }) => lastSeen && <Time value={lastSeen.startTime} /> },
];

const groupColumns = (by: QueryGroup): readonly Column<QueryGroupRow>[] => [
  {
    title: labelOfGroup(by),
    wide: true,
    cell: ({ key }) => <span className={styles['key']}>{key ?? 'None'}</span>,
  },
  { title: 'Count', number: true, cell: ({ count }) => formatCount(count) },
  { title: 'Share', number: true, cell: ({ share }) => formatShare(share ?? null) },
];

interface Props {
  readonly pages: readonly QueryReply[];
  readonly by: QueryGroup | undefined;
}

/** What a query found. */
export const QueryRows = ({ pages, by }: Props) => {
  const [first] = pages;
  if (!first) return null;
  const keyOf = ({ id }: { readonly id: number }): number => id;
  if (by && first.groups) {
    return (
      <Table
        label="Groups"
        columns={groupColumns(by)}
        rows={first.groups}
        keyOf={({ key }) => key ?? '\u0000'}
        stacked
      />
    );
  }
  if (first.runs) {
    return <Table label="Runs" columns={RUNS} rows={pages.flatMap(({ runs }) => runs ?? [])} keyOf={keyOf} stacked />;
  }
  if (first.clusters) {
    return (
      <Table
        label="Clusters"
        columns={CLUSTERS}
        rows={pages.flatMap(({ clusters }) => clusters ?? [])}
        keyOf={keyOf}
        stacked
      />
    );
  }
  if (first.tests) {
    return (
      <Table label="Tests" columns={TESTS} rows={pages.flatMap(({ tests }) => tests ?? [])} keyOf={keyOf} stacked />
    );
  }
  return (
    <Table
      label="Results"
      columns={RESULTS}
      rows={pages.flatMap(({ results }) => results ?? [])}
      keyOf={keyOf}
      stacked
    />
  );
};
