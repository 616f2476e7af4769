import type { FailedTest } from '@assay/contract';
import { countOf } from '../../format/number.ts';
import { Time } from '../../ui/time.tsx';
import { onDefaultWords } from './against-default.ts';
import styles from './result-line.module.css';

interface Props {
  readonly failure: FailedTest;
  readonly defaultBranch: string | null;
}

/** Whether a failure is new, or since which run it has failed, and whether it fails on the default branch too. */
export const FailingSince = ({ failure, defaultBranch }: Props) => {
  const { isNew, ranBefore, failingSince, failedRuns, sinceBeyond } = failure;
  const words = onDefaultWords(failure, defaultBranch);
  return (
    <>
      {isNew ? (
        <span className={styles['new']}>{ranBefore ? 'New' : 'New test'}</span>
      ) : (
        <span className={styles['since']}>
          failing since {sinceBeyond && 'at least '}#{failingSince.id} · <Time value={failingSince.startTime} /> (
          {countOf(failedRuns, 'run')})
        </span>
      )}
      {words && <span className={styles['since']}>{words}</span>}
    </>
  );
};
