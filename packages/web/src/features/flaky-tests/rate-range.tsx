import { formatShare } from '../../format/number.ts';
import type { FlakyTest } from './flaky-order.ts';
import styles from './rate-range.module.css';

/** A rate with the span in which the true one is likely to lie, on a scale from none to all. */
export const RateRange = ({ test }: { readonly test: FlakyTest }) => {
  const { model, flakyRuns, totalRuns } = test;
  const { rate, low, high } = model;
  return (
    <span className={styles['rate']}>
      <span className={styles['words']}>
        <strong>{formatShare(rate)}</strong>
        <span>
          seen in {flakyRuns} of {totalRuns} runs
        </span>
      </span>
      <span className={styles['scale']} aria-hidden="true">
        <i style={{ left: `${low * 100}%`, width: `${Math.max(1, (high - low) * 100)}%` }} />
        <b style={{ left: `${rate * 100}%` }} />
      </span>
      <span className={styles['range']}>
        likely {formatShare(low)} to {formatShare(high)}
      </span>
    </span>
  );
};
