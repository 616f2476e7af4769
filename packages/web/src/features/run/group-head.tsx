import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { Icon } from '../../ui/icon.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { LookNumbers } from './look-numbers.tsx';
import type { CauseOfGroup, GroupRow, View } from './result-rows.ts';
import styles from './group-head.module.css';

interface Props {
  readonly group: GroupRow;
  readonly view: View;
  readonly onToggle: (key: string) => void;
}

/** The heading of the results of one file, or of those that failed for one cause. */
export const GroupHead = ({ group, view, onToggle }: Props) => {
  const { key, title, open, counts, durationMs, cause } = group;
  return (
    <button type="button" className={styles['head']} aria-expanded={open} onClick={() => onToggle(key)}>
      <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
      {cause && <span className={styles['times']}>{formatCount(counts.total)}×</span>}
      <span className={cause ? styles['cause'] : styles['title']}>
        {view === 'file' ? <PathText path={title} /> : <MiddleText text={title} tail={8} />}
      </span>
      {cause && <CauseNotes cause={cause} total={counts.total} />}
      {!cause && <LookNumbers counts={counts} />}
      {!cause && <span className={styles['end']}>{formatDuration(durationMs)}</span>}
    </button>
  );
};

/** `all new · tests/cart.spec.ts:13` */
const CauseNotes = ({ cause, total }: { readonly cause: CauseOfGroup; readonly total: number }) => {
  const { newTests, sinceRun, place } = cause;
  return (
    <span className={styles['notes']}>
      {newTests > 0 && <strong>{newTests === total ? 'New' : `${formatCount(newTests)} new`}</strong>}
      {newTests < total && sinceRun !== null && <span>since #{sinceRun}</span>}
      {place && (
        <span className={styles['place']}>
          <PathText path={place} />
        </span>
      )}
    </span>
  );
};
