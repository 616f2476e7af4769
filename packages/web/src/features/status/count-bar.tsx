import { formatCount } from '../../format/number.ts';
import styles from './count-bar.module.css';

export interface Counts {
  readonly totalTests: number;
  readonly passedTests: number;
  readonly failedTests: number;
  readonly skippedTests: number;
  readonly flakyTests: number;
}

/** The results of a run as one bar; the flaky ones are a part of those that passed. */
export const CountBar = (counts: Counts) => {
  const { passedTests, failedTests, skippedTests, flakyTests } = counts;
  const parts = [
    ['failed', failedTests],
    ['flaky', flakyTests],
    ['passed', Math.max(0, passedTests - flakyTests)],
    ['skipped', skippedTests],
  ] as const;
  const label = parts.flatMap(([name, count]) => (count > 0 ? `${formatCount(count)} ${name}` : [])).join(', ');
  return (
    <div className={styles['bar']} role="img" aria-label={label || 'No tests'} title={label}>
      {parts.map(([name, count]) => count > 0 && <i key={name} className={styles[name]} style={{ flexGrow: count }} />)}
    </div>
  );
};
