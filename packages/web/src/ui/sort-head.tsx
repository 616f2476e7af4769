import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './sort-head.module.css';

interface Props {
  readonly children: ReactNode;
  /** Whether the list is in the order of this column, and which way the numbers or letters run. */
  readonly sorted: 'up' | 'down' | null;
  readonly onSort: () => void;
  /** Over a column of figures. */
  readonly end?: boolean;
}

/** The heading of a column that puts a list in its order. */
export const SortHead = ({ children, sorted, onSort, end }: Props) => (
  <button
    type="button"
    className={classNames(styles['head'], end && styles['end'], sorted && styles['sorted'])}
    aria-pressed={sorted !== null}
    onClick={onSort}
  >
    {children}
    <span className={styles['arrow']}>
      {sorted && <Icon name={sorted === 'up' ? 'chevronUp' : 'chevronDown'} size={10} />}
    </span>
    {sorted && <span className="unseen">{sorted === 'up' ? ', smallest first' : ', largest first'}</span>}
  </button>
);
