import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { Icon } from '../../ui/icon.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { LookNumbers } from './look-numbers.tsx';
import { type GroupRow, type View, WITHOUT_ERROR } from './result-rows.ts';
import styles from './group-head.module.css';

interface Props {
  readonly group: GroupRow;
  readonly view: View;
  readonly onToggle: (key: string) => void;
}

/** The heading of the results of one file, or of those that failed for one cause. */
export const GroupHead = ({ group, view, onToggle }: Props) => {
  const { key, title, open, counts, durationMs } = group;
  const cause = view === 'cause' && title !== WITHOUT_ERROR;
  return (
    <button type="button" className={styles['head']} aria-expanded={open} onClick={() => onToggle(key)}>
      <Icon name={open ? 'chevronDown' : 'chevronRight'} size={12} />
      {cause && <span className={styles['times']}>{formatCount(counts.total)}×</span>}
      <span className={cause ? styles['cause'] : styles['title']}>
        {view === 'file' ? <PathText path={title} /> : <MiddleText text={title} tail={8} />}
      </span>
      {!cause && <LookNumbers counts={counts} />}
      {!cause && <span className={styles['end']}>{formatDuration(durationMs)}</span>}
    </button>
  );
};
