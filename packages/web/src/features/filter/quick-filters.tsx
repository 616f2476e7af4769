import type { ReactNode } from 'react';
import { formatCount } from '../../format/number.ts';
import { type Look } from '../status/outcome.ts';
import { LookMark } from '../status/status-mark.tsx';
import { hasTerm, toggleTerm } from './terms.ts';
import type { FilterState } from './use-filter.ts';
import styles from './quick-filters.module.css';

export interface QuickFilter {
  readonly label: string;
  readonly term: string;
  readonly look?: Look;
  readonly count?: number | undefined;
}

interface Props {
  readonly label: string;
  readonly state: FilterState;
  readonly filters: readonly QuickFilter[];
  /** The number of all, to clear the filter. */
  readonly total?: number;
  readonly children?: ReactNode;
}

/** Common filters as buttons. They edit the text of the box, one in place of another. */
export const QuickFilters = ({ label, state: { text, put }, filters, total, children }: Props) => {
  const others = new Set(filters.map(({ term }) => term));
  return (
    <div className={styles['filters']} role="group" aria-label={label}>
      {total !== undefined && (
        <button type="button" className={styles['one']} aria-pressed={text === ''} onClick={() => put('')}>
          <b>{formatCount(total)}</b> All
        </button>
      )}
      {filters.map(({ label: name, term, look, count }) => (
        <button
          key={term}
          type="button"
          className={styles['one']}
          aria-pressed={hasTerm(text, term)}
          disabled={count === 0 && !hasTerm(text, term)}
          onClick={() => put(toggleTerm(text, term, (other) => others.has(other)))}
        >
          {look && <LookMark look={look} size={14} />}
          {count !== undefined && <b>{formatCount(count)}</b>}
          {name}
        </button>
      ))}
      {children}
    </div>
  );
};
