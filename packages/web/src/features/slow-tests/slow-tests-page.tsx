import type { Endpoints, Reply } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../../api/client.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { Empty } from '../../ui/notice.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { ProjectPanelPage } from '../project/project-panel-page.tsx';
import { TestName } from '../status/test-name.tsx';
import { useWindow } from '../window/window.ts';
import { changeOf } from './change.ts';
import { TimeSpent } from './time-spent.tsx';
import styles from './slow-tests-page.module.css';

type SlowTest = Reply<Endpoints['listSlowTests']>[number];

export const SlowTestsPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const query = useQuery({
    ...ask('listSlowTests', { params: { id }, query: chosen.query ?? {} }),
    enabled: chosen.query !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <ProjectPanelPage
      projectId={id}
      title="Slowest tests"
      window={chosen}
      query={query}
      note={() => 'By average duration'}
      actions={query.data && query.data.length > 0 && <CsvButton name="slowest-tests" rows={() => query.data} />}
      below={<TimeSpent projectId={id} chosen={chosen} />}
    >
      {(tests) => <SlowTests tests={tests} words={chosen.words} />}
    </ProjectPanelPage>
  );
};

const SlowTests = ({ tests, words }: { readonly tests: readonly SlowTest[]; readonly words: string }) => {
  const columns = useMemo(() => columnsFor(Math.max(1, ...tests.map(({ avgDuration }) => avgDuration))), [tests]);
  if (tests.length === 0) {
    return (
      <Empty title="No durations">
        <p>No result has a duration: {words}.</p>
      </Empty>
    );
  }
  return <Table label={`Slowest tests: ${words}`} columns={columns} rows={tests} keyOf={({ id }) => id} stacked />;
};

const columnsFor = (slowest: number): readonly Column<SlowTest>[] => [
  {
    title: 'Test',
    cell: (test) => (
      <span className={styles['test']}>
        <TestName test={test} />
      </span>
    ),
  },
  {
    title: 'Average',
    number: true,
    cell: ({ avgDuration }) => (
      <span className={styles['average']}>
        <strong>{formatDuration(avgDuration)}</strong>
        <span className={styles['bar']} aria-hidden="true">
          <i style={{ width: `${(avgDuration / slowest) * 100}%` }} />
        </span>
      </span>
    ),
  },
  {
    title: 'Durations',
    wide: true,
    cell: ({ durations, minDuration, maxDuration }) => (
      <span className={styles['series']}>
        <Sparkline
          values={durations}
          from={0}
          width={132}
          height={28}
          label={`Durations of ${durations.length} results, oldest first: from ${formatDuration(minDuration)} to ${formatDuration(maxDuration)}`}
        />
      </span>
    ),
  },
  { title: 'Trend', cell: (test) => <Trend test={test} /> },
  { title: 'Latest', number: true, cell: ({ latestDuration }) => formatDuration(latestDuration) },
  { title: 'Minimum', number: true, cell: ({ minDuration }) => formatDuration(minDuration) },
  { title: 'P90', number: true, cell: ({ p90Duration }) => formatDuration(p90Duration) },
  { title: 'Maximum', number: true, cell: ({ maxDuration }) => formatDuration(maxDuration) },
  {
    title: 'Total',
    number: true,
    cell: ({ durations }) => formatDuration(durations.reduce((sum, duration) => sum + duration, 0)),
  },
  { title: 'Runs', number: true, cell: ({ runCount }) => formatCount(runCount) },
];

const ARROWS = { faster: '↓', slower: '↑', stable: '→' } as const;
const WORDS = { faster: 'Faster', slower: 'Slower', stable: 'Stable' } as const;

const Trend = ({ test: { trend, durations } }: { readonly test: SlowTest }) => (
  <span className={styles[trend]} title="The average of the later half against that of the earlier half">
    <span aria-hidden="true">{ARROWS[trend]}</span> {WORDS[trend]}
    {trend !== 'stable' && <small> {changeOf(durations)}</small>}
  </span>
);
