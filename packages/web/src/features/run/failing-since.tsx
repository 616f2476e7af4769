import type { FailedTest } from '@assay/contract';
import { countOf } from '../../format/number.ts';
import { Time } from '../../ui/time.tsx';
import styles from './result-line.module.css';

/** Whether a failure is new, or since which run it has failed. */
export const FailingSince = ({ failure }: { readonly failure: FailedTest }) => {
  const { isNew, failingSince, failedRuns, sinceBeyond } = failure;
  if (isNew) return <span className={styles['new']}>New</span>;
  return (
    <span className={styles['since']}>
      failing since {sinceBeyond && 'at least '}#{failingSince.id} · <Time value={failingSince.startTime} /> (
      {countOf(failedRuns, 'run')})
    </span>
  );
};
