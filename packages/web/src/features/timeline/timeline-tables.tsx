import { useMemo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import { formatOffset } from './axis.ts';
import { type Bar, durationMsOf, isRun, type Layout, type Row, type Span } from './layout.ts';
import styles from './timeline.module.css';

const LONGEST = 10;
const MOST_WORKERS = 100;

interface Placed {
  readonly bar: Bar;
  readonly row: Row;
}

const RESULT_COLUMNS: readonly Column<Placed>[] = [
  {
    title: 'Result',
    cell: ({ bar: { result } }) => (
      <span className={styles['result']}>
        <CaseMark status={result.status} retries={result.retries} />
        <Link to={paths.testCase(result.id)}>
          <MiddleText text={result.title} />
        </Link>
      </span>
    ),
  },
  { title: 'Worker', cell: ({ row }) => row.name },
  { title: 'Started', number: true, cell: ({ bar }) => formatOffset(bar.from) },
  { title: 'Retries', number: true, cell: ({ bar }) => formatCount(bar.result.retries) },
  { title: 'Duration', number: true, cell: ({ bar }) => formatDuration(durationMsOf(bar)) },
];

export const LongestResults = ({ layout }: { readonly layout: Layout }) => {
  const longest = useMemo(
    () =>
      layout.rows
        .flatMap((row) => row.bars.filter(isRun).map((bar) => ({ bar, row })))
        .sort((a, b) => durationMsOf(b.bar) - durationMsOf(a.bar))
        .slice(0, LONGEST),
    [layout],
  );
  return (
    <Panel title="Longest results" note="with all their attempts">
      <Table
        label="Longest results"
        columns={RESULT_COLUMNS}
        rows={longest}
        keyOf={({ bar }) => bar.result.id}
        stacked
      />
    </Panel>
  );
};

const sumMs = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + durationMsOf(span), 0);
const longestMs = (spans: readonly Span[]): number =>
  spans.reduce((longest, span) => Math.max(longest, durationMsOf(span)), 0);

const WORKER_COLUMNS: readonly Column<Row>[] = [
  { title: 'Worker', cell: ({ name }) => name },
  { title: 'Results', number: true, cell: ({ bars }) => formatCount(bars.filter(isRun).length) },
  { title: 'In tests', number: true, cell: ({ bars }) => formatDuration(sumMs(bars)) },
  { title: 'Idle', number: true, cell: ({ gaps }) => formatDuration(sumMs(gaps)) },
  { title: 'Longest gap', number: true, cell: ({ gaps }) => formatDuration(longestMs(gaps)) },
  { title: 'Finished', number: true, cell: ({ bars }) => formatOffset(bars.findLast(isRun)!.to) },
];

/** Only where it is known which worker ran what. */
export const Workers = ({ layout }: { readonly layout: Layout }) => {
  const workers = layout.rows.filter(({ bars }) => bars.some(isRun));
  return (
    <Panel
      title="Workers"
      note={workers.length > MOST_WORKERS ? `the first ${MOST_WORKERS} of ${formatCount(workers.length)}` : null}
    >
      <Table
        label="Workers"
        columns={WORKER_COLUMNS}
        rows={workers.slice(0, MOST_WORKERS)}
        keyOf={({ name }) => name}
        stacked
      />
    </Panel>
  );
};
