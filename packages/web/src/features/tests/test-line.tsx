import { memo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { Time } from '../../ui/time.tsx';
import { HistoryStrip } from '../status/history-strip.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import { useCarriedBranch } from '../window/window.ts';
import type { TestEntry } from './test-fields.ts';
import styles from './test-list.module.css';

/** One test with the figures of its history; cells in the order of the headings. */
export const TestLine = memo(({ entry: { test, passRate, flakyRate } }: { readonly entry: TestEntry }) => (
  <div className={styles['row']} role="presentation">
    <span role="cell" className={styles['title']}>
      <CaseMark status={test.lastStatus} retries={0} />
      <span className={styles['names']}>
        <Link to={paths.test(test.id, useCarriedBranch())} aria-label={test.title}>
          <MiddleText text={test.title} tail={16} labelled />
        </Link>
        <small>
          <PathText path={test.filePath} />
          {test.browser && <span className={styles['browser']}>{test.browser}</span>}
        </small>
      </span>
    </span>
    <Figure name="passrate" label="passed" alarming={passRate !== null && passRate < 0.9}>
      {formatShare(passRate)}
    </Figure>
    <Figure name="flakyrate" label="flaky" mild={flakyRate === 0}>
      {formatShare(flakyRate)}
    </Figure>
    <Figure name="avg" label="average">
      {formatDuration(test.avgDuration)}
    </Figure>
    <Figure name="p90" label="P90">
      {formatDuration(test.p90Duration)}
    </Figure>
    <Figure name="lastfailure" label="failed" mild={!test.lastFailure}>
      {test.lastFailure ? (
        <Link to={paths.testCase(test.lastFailure.testCaseId)}>
          <Time value={test.lastFailure.startTime} />
        </Link>
      ) : (
        '–'
      )}
    </Figure>
    <Figure name="lastrun" label="ran">
      <Time value={test.lastRun} />
    </Figure>
    <span role="cell" className={styles['history']}>
      {test.history && <HistoryStrip history={test.history} />}
    </span>
  </div>
));

interface FigureProps {
  readonly name: string;
  /** Stands beside it where there are no headings. */
  readonly label: string;
  readonly alarming?: boolean;
  readonly mild?: boolean;
  readonly children: React.ReactNode;
}

const Figure = ({ name, label, alarming, mild, children }: FigureProps) => (
  <span
    role="cell"
    className={classNames(styles[name], styles['number'], alarming && styles['alarming'], mild && styles['mild'])}
  >
    <span className={styles['label']} aria-hidden="true">
      {label}
    </span>
    {children}
  </span>
);
