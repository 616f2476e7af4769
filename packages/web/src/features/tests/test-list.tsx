import type { Test } from '@assay/contract';
import { useDeferredValue, useMemo } from 'react';
import { useAddressPart } from '../../address.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pick } from '../../ui/pick.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { FilterBox } from '../filter/filter-box.tsx';
import { NotAsked } from '../filter/not-asked.tsx';
import { QuickFilters } from '../filter/quick-filters.tsx';
import { useFilter } from '../filter/use-filter.ts';
import { commonFilters } from './common-filters.ts';
import { type TestView, orderAfter, readOrder, sortTests, writeOrder } from './sort-tests.ts';
import { entriesOf, testCatalogue, type TestEntry, testValues } from './test-fields.ts';
import { COLUMN_NAMES, TestHeads } from './test-heads.tsx';
import { TestLine } from './test-line.tsx';
import styles from './test-list.module.css';

interface Props {
  readonly tests: readonly Test[];
  /** Of which branch and days the figures are. */
  readonly words: string;
  readonly view: TestView;
}

export const TestList = ({ tests, words, view }: Props) => {
  const catalogue = useMemo(() => testCatalogue(tests), [tests]);
  const values = useMemo(() => testValues(tests), [tests]);
  const entries = useMemo(() => entriesOf(tests), [tests]);
  const common = useMemo(() => commonFilters(tests), [tests]);
  const filter = useFilter(catalogue);
  const find = useDeferredValue(filter.find);
  const [sortText, setSortText] = useAddressPart('sort', writeOrder(view.order));
  const order = useMemo(() => readOrder(sortText, view.order), [sortText, view]);
  const sorted = useMemo(() => sortTests(entries, order), [entries, order]);
  const { found, failed } = useMemo(() => find(sorted), [sorted, find]);
  return (
    <>
      <div className={styles['tools']}>
        <FilterBox
          label="Filter tests"
          state={filter}
          catalogue={catalogue}
          loaded={values}
          examples={catalogue.examples}
        />
        <div className={styles['sort']}>
          <Pick
            label="Sort"
            value={order.column}
            options={(['title', ...view.figures] as const).map((value) => ({ value, label: COLUMN_NAMES[value] }))}
            onChange={(column) => setSortText(writeOrder(orderAfter(order, column)))}
          />
          <Button
            square
            aria-label={order.descending ? 'Sorted descending; reverse' : 'Sorted ascending; reverse'}
            onClick={() => setSortText(writeOrder({ ...order, descending: !order.descending }))}
          >
            {order.descending ? '↓' : '↑'}
          </Button>
        </div>
      </div>
      <QuickFilters label="Common filters" state={filter} filters={common} total={tests.length} />
      <NotAsked failed={failed} of={tests.length} />
      <Panel
        title={view.title}
        note={`${countNote(found.length, tests.length)}${timeNote(view, found)}: ${words}`}
        actions={found.length > 0 && <CsvButton name="tests" rows={() => found.map(({ test }) => test)} />}
      >
        {found.length === 0 ? (
          <Empty title="No tests match the filter">
            <Button onClick={() => filter.put('')}>Clear filter</Button>
          </Empty>
        ) : (
          <div role="table" aria-label="Tests" aria-rowcount={found.length + 1}>
            <TestHeads
              figures={view.figures}
              order={order}
              onOrder={(column) => setSortText(writeOrder(orderAfter(order, column)))}
            />
            <VirtualRows table label="Tests" rows={found} keyOf={keyOf} rowHeight={49}>
              {(entry) => <TestLine entry={entry} figures={view.figures} />}
            </VirtualRows>
          </div>
        )}
      </Panel>
    </>
  );
};

const keyOf = ({ test }: TestEntry): number => test.id;

const countNote = (found: number, all: number): string =>
  found === all ? countOf(all, 'test') : `${countOf(found, 'test')} of ${all.toLocaleString()}`;

const timeNote = ({ figures }: TestView, found: readonly TestEntry[]): string =>
  figures.includes('total')
    ? `, ${formatDuration(found.reduce((sum, { test }) => sum + (test.totalDuration ?? 0), 0))} in all`
    : '';
