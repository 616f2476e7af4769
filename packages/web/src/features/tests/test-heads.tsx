import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FigureColumn, TestColumn, TestOrder } from './sort-tests.ts';
import styles from './test-list.module.css';

export const COLUMN_NAMES: Record<TestColumn, string> = {
  title: 'Test',
  passrate: 'Pass rate',
  flakyrate: 'Flaky rate',
  avg: 'Average',
  p90: 'P90',
  total: 'Total time',
  runs: 'Runs',
  lastfailure: 'Last failure',
  lastrun: 'Last run',
};

interface HeadProps {
  readonly order: TestOrder;
  readonly onOrder: (column: TestColumn) => void;
}

export const TestHeads = ({ figures, order, onOrder }: HeadProps & { readonly figures: readonly FigureColumn[] }) => (
  <div role="rowgroup" className={styles['heads']}>
    <div role="row" aria-rowindex={1} className={styles['row']}>
      {(['title', ...figures] as const).map((column) => (
        <Head key={column} column={column} order={order} onOrder={onOrder} />
      ))}
      <span role="columnheader" className={styles['history']}>
        History
      </span>
    </div>
  </div>
);

const Head = ({ column, order, onOrder }: HeadProps & { readonly column: TestColumn }) => {
  const sorted = order.column === column;
  const direction = order.descending ? 'descending' : 'ascending';
  return (
    <span
      role="columnheader"
      aria-sort={sorted ? direction : 'none'}
      className={classNames(styles[column], column !== 'title' && styles['number'])}
    >
      <button type="button" onClick={() => onOrder(column)}>
        {COLUMN_NAMES[column]}
        {sorted && <Icon name={order.descending ? 'chevronDown' : 'chevronUp'} size={10} />}
      </button>
    </span>
  );
};
