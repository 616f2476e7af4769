import { formatShare } from '../../format/number.ts';
import type { FlakyTest } from './flaky-order.ts';
import styles from './rate-range.module.css';

/** A rate with the span in which the true one is likely to lie, on a scale from none to all. */
export const RateRange = ({ test }: { readonly test: FlakyTest }) => {
  const { flakyRate, rateLow, rateHigh, flakyRuns, totalRuns } = test;
  return (
    <span className={styles['rate']}>
      <span className={styles['words']}>
        <strong>{formatShare(flakyRate / 100)}</strong>
        <span>
          {flakyRuns} of {totalRuns} runs
        </span>
      </span>
      <span className={styles['scale']} aria-hidden="true">
        <i style={{ left: `${rateLow}%`, width: `${Math.max(1, rateHigh - rateLow)}%` }} />
        <b style={{ left: `${flakyRate}%` }} />
      </span>
      <span className={styles['range']}>
        likely {Math.round(rateLow)} to {Math.round(rateHigh)} %
      </span>
    </span>
  );
};
