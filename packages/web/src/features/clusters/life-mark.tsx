import type { ClusterLife } from '@assay/contract';
import { classNames } from '../../ui/class-names.ts';
import { STATE_LABELS, lifeWords } from './words.ts';
import styles from './clusters.module.css';

/** Whether a cluster goes on. */
export const LifeMark = ({ life }: { readonly life: ClusterLife }) => (
  <span className={styles['life']}>
    <span className={classNames(styles['state'], styles[life.state])}>{STATE_LABELS[life.state]}</span>
    <span>{lifeWords(life)}</span>
  </span>
);
