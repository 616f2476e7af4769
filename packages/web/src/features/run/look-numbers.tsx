import { formatCount } from '../../format/number.ts';
import type { Look } from '../status/outcome.ts';
import { LookMark } from '../status/status-mark.tsx';
import type { LookCounts } from './result-rows.ts';
import styles from './look-numbers.module.css';

const SHOWN = ['failed', 'flaky', 'passed', 'skipped'] as const satisfies readonly Look[];

/** Counts with their marks, without those that are none. */
export const LookNumbers = ({ counts }: { readonly counts: LookCounts }) => (
  <span className={styles['numbers']}>
    {SHOWN.map(
      (look) =>
        counts[look] > 0 && (
          <span key={look}>
            <LookMark look={look} size={12} label={look} /> {formatCount(counts[look])}
          </span>
        ),
    )}
  </span>
);
