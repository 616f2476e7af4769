import type { RunDetails } from '@assay/contract';
import { formatCount } from '../../format/number.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import styles from './run-progress.module.css';

/** How far a run that is still going has come. */
export const RunProgress = ({ run }: { readonly run: RunDetails }) => {
  const { totalTests: done, expectedTests: expected } = run;
  return (
    <span className={styles['progress']}>
      <span>
        Running for <Elapsed since={run.startTime} />
      </span>
      {expected !== null && expected > 0 && (
        <progress value={Math.min(done, expected)} max={expected} aria-label="Finished tests" />
      )}
      <span>
        {expected !== null && expected > 0
          ? `${formatCount(done)} of ${formatCount(expected)} tests`
          : `${formatCount(done)} so far`}
      </span>
    </span>
  );
};
