import { MOST_FLAKY_TESTS } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAddressChoice } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { InlineSelect } from '../../ui/inline-select.tsx';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { ProjectPanelPage } from '../project/project-panel-page.tsx';
import { projectQuery } from '../project/project-query.ts';
import { HistoryStrip } from '../status/history-strip.tsx';
import { LookMark } from '../status/status-mark.tsx';
import { TestName } from '../status/test-name.tsx';
import { type ChosenWindow, useWindow } from '../window/window.ts';
import { evidenceOf, whyFlaky } from './evidence.ts';
import { type FlakyTest, ORDERS, type Order, inOrder } from './flaky-order.ts';
import { RateRange } from './rate-range.tsx';
import styles from './flaky-tests-page.module.css';

const SHOWN_HISTORY = 60;
const ORDER_WORDS: Record<Order, string> = {
  often: 'Most flaky first',
  recent: 'Most recently flaky first',
  new: 'Newest first',
  title: 'By title',
};

/** The service answers the most flaky ones only. */
const found = (count: number): string =>
  count < MOST_FLAKY_TESTS ? countOf(count, 'test') : `The ${countOf(count, 'most flaky test')}`;

export const FlakyTestsPage = ({ id }: { readonly id: number }) => {
  const chosen = useWindow(id);
  const [order, setOrder] = useAddressChoice('sort', ORDERS, 'often');
  const query = useQuery({
    ...ask('listFlakyTests', { params: { id }, query: chosen.query ?? {} }),
    enabled: chosen.query !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <ProjectPanelPage
      projectId={id}
      title="Flaky tests"
      window={chosen}
      query={query}
      note={({ length }) => found(length)}
      actions={
        <span className={styles['actions']}>
          <InlineSelect
            label="Order"
            value={order}
            options={ORDERS.map((value) => ({ value, label: ORDER_WORDS[value] }))}
            onChange={(value) => setOrder(value as Order)}
          />
          {query.data && query.data.length > 0 && (
            <CsvButton name="flaky-tests" rows={() => inOrder(query.data, order)} />
          )}
        </span>
      }
      rule={
        <p className={styles['rule']}>
          <LookMark look="flaky" />
          <span>
            A result is flaky when it passed only after it was tried again, or when it failed on a commit on which
            another run passed. The bar spans where the true rate lies with 95 % certainty: the fewer runs, the wider.
          </span>
        </p>
      }
    >
      {(tests) => <FlakyTests projectId={id} tests={tests} order={order} chosen={chosen} />}
    </ProjectPanelPage>
  );
};

interface TableProps {
  readonly projectId: number;
  readonly tests: readonly FlakyTest[];
  readonly order: Order;
  readonly chosen: ChosenWindow;
}

const FlakyTests = ({ projectId, tests, order, chosen }: TableProps) => {
  const { data: project } = useQuery(projectQuery(projectId));
  const { words } = chosen;
  const { data: found } = useQuery({
    ...ask('getWindow', { params: { id: projectId }, query: chosen.query ?? {} }),
    enabled: chosen.query !== undefined,
  });
  const rows = useMemo(() => inOrder(tests, order), [tests, order]);
  if (tests.length === 0 && project?.totalRuns === 0) {
    return (
      <Empty title="No runs yet">
        <p>Flaky tests appear here once runs that retry failed tests have been submitted.</p>
      </Empty>
    );
  }
  if (tests.length === 0) {
    return (
      <Empty title={found?.runs === 0 ? 'No runs' : 'No flaky test was seen'}>
        <p>{found && evidenceOf(found, words)}</p>
      </Empty>
    );
  }
  return <Table label={`Flaky tests: ${words}`} columns={COLUMNS} rows={rows} keyOf={idOf} stacked />;
};

const idOf = ({ id }: FlakyTest): number => id;

const COLUMNS: readonly Column<FlakyTest>[] = [
  {
    title: 'Test',
    cell: (test) => (
      <span className={styles['test']}>
        <TestName test={test} />
      </span>
    ),
  },
  { title: 'Rate', wide: true, cell: (test) => <RateRange test={test} /> },
  { title: 'Evidence', wide: true, cell: (test) => <span className={styles['evidence']}>{whyFlaky(test)}</span> },
  {
    title: 'Since',
    cell: ({ firstFlaky }) => (
      <span className={styles['when']}>
        <Time value={firstFlaky.startTime} />
        <Link to={paths.run(firstFlaky.id)}>run #{firstFlaky.id}</Link>
      </span>
    ),
  },
  {
    title: 'Last flaky',
    cell: ({ lastFlaky }) => (
      <span className={styles['when']}>
        <Time value={lastFlaky.startTime} />
        <Link to={paths.testCase(lastFlaky.testCaseId)}>result in #{lastFlaky.id}</Link>
      </span>
    ),
  },
  {
    title: 'History',
    wide: true,
    cell: ({ history }) => (
      <span className={styles['history']}>
        <HistoryStrip history={history.slice(-SHOWN_HISTORY)} />
      </span>
    ),
  },
];
