import { MOST_FLAKY_TESTS } from '@assay/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
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
import { evidenceOf, outageWords, whyFlaky } from './evidence.ts';
import { falseRedsWords } from './false-reds.ts';
import { FlakeCostPanel } from './flake-cost.tsx';
import { type FlakyTest, ORDERS, type Order, inOrder } from './flaky-order.ts';
import { RateRange } from './rate-range.tsx';
import styles from './flaky-tests-page.module.css';

const SHOWN_HISTORY = 60;
const MOST_OUTAGES = 5;
const ORDER_WORDS: Record<Order, string> = {
  often: 'Most false reds first',
  recent: 'Most recently flaky first',
  new: 'Newest first',
  title: 'By title',
};

/** The service answers the most flaky ones only. */
const found = (count: number): string =>
  count < MOST_FLAKY_TESTS ? countOf(count, 'test') : `The ${countOf(count, 'most flaky test')}`;

const windowQueryOf = (projectId: number, { query }: ChosenWindow) => ({
  ...ask('getWindow', { params: { id: projectId }, query: query ?? {} }),
  enabled: query !== undefined,
});

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
            <CsvButton
              name="flaky-tests"
              rows={() => inOrder(query.data, order).map(({ evidence: _, ...row }) => row)}
            />
          )}
        </span>
      }
      rule={
        <div className={styles['rule']}>
          <LookMark look="flaky" />
          <div>
            <p>
              A result is flaky when it passed only after it was tried again, or when it failed on a commit on which
              another run passed. <Outages projectId={id} chosen={chosen} />
            </p>
            <details>
              <summary>How rates and false reds are estimated</summary>
              <p>
                A test that was flaky in one of three runs is hardly flaky in every third. So the rates of all tests of
                the project are estimated together: how many never are flaky, and how the rates of the others are
                spread. The bar spans where the rate of a test lies with 95 % certainty. Where rates have changed,
                recent runs weigh more.
              </p>
              <p>
                False reds are the runs that a test is expected to make red for no reason, at as many runs a week as
                there were: when tries fail by chance, now and then all of them do.
              </p>
            </details>
          </div>
        </div>
      }
      above={<FlakeCostPanel projectId={id} chosen={chosen} />}
    >
      {(tests) => <FlakyTests projectId={id} tests={tests} order={order} chosen={chosen} />}
    </ProjectPanelPage>
  );
};

/** What the estimates leave out. */
const Outages = ({ projectId, chosen }: { readonly projectId: number; readonly chosen: ChosenWindow }) => {
  const { data } = useQuery(windowQueryOf(projectId, chosen));
  if (!data || data.outages.length === 0) return null;
  const shown = data.outages.slice(0, MOST_OUTAGES);
  const others = data.outages.length - shown.length;
  return (
    <>
      Left out of estimates, as far more failed than usual:{' '}
      {shown.map((outage, at) => (
        <Fragment key={outage.id}>
          {at > 0 && '; '}
          <Link to={paths.run(outage.id)}>{outageWords(outage)}</Link>
        </Fragment>
      ))}
      {others > 0 && ` and ${countOf(others, 'earlier run')}`}.
    </>
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
  const { data: found } = useQuery(windowQueryOf(projectId, chosen));
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

const Evidence = ({ test }: { readonly test: FlakyTest }) => (
  <ul className={styles['evidence']}>
    {whyFlaky(test).map(({ kind, words }) => (
      <li key={kind}>
        <p>
          {words}:{' '}
          {test.evidence[kind].map(({ id, testCaseId }, at) => (
            <Fragment key={testCaseId}>
              {at > 0 && ', '}
              <Link to={paths.testCase(testCaseId)}>#{id}</Link>
            </Fragment>
          ))}
        </p>
      </li>
    ))}
  </ul>
);

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
  {
    title: 'False reds',
    cell: ({ model }) => <span className={styles['evidence']}>{falseRedsWords(model.falseRedsPerWeek)}</span>,
  },
  { title: 'Evidence', wide: true, cell: (test) => <Evidence test={test} /> },
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
