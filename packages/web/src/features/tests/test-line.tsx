import { memo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatCount, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { classNames } from '../../ui/class-names.ts';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { Time } from '../../ui/time.tsx';
import { HistoryStrip } from '../status/history-strip.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import { useCarriedBranch } from '../window/window.ts';
import type { FigureColumn } from './sort-tests.ts';
import type { TestEntry } from './test-fields.ts';
import styles from './test-list.module.css';

interface Props {
  readonly entry: TestEntry;
  readonly figures: readonly FigureColumn[];
}

/** One test with figures of its history; cells in the order of the headings. */
export const TestLine = memo(({ entry, figures }: Props) => {
  const { test } = entry;
  return (
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
            {test.tags?.map((tag) => (
              <span key={tag} className={styles['browser']}>
                {tag}
              </span>
            ))}
          </small>
        </span>
      </span>
      {figures.map((name) => (
        <Figure key={name} name={name} {...FIGURES[name](entry)} />
      ))}
      <span role="cell" className={styles['history']}>
        {test.history && <HistoryStrip history={test.history} />}
      </span>
    </div>
  );
});

const FIGURES: Record<FigureColumn, (entry: TestEntry) => Omit<FigureProps, 'name'>> = {
  passrate: ({ passRate }) => ({
    label: 'passed',
    alarming: passRate !== null && passRate < 0.9,
    children: formatShare(passRate),
  }),
  flakyrate: ({ flakyRate }) => ({ label: 'flaky', mild: flakyRate === 0, children: formatShare(flakyRate) }),
  avg: ({ test }) => ({ label: 'average', children: formatDuration(test.avgDuration) }),
  p90: ({ test }) => ({ label: 'P90', children: formatDuration(test.p90Duration) }),
  total: ({ test }) => ({ label: 'total', children: formatDuration(test.totalDuration) }),
  runs: ({ test }) => ({ label: 'runs', children: formatCount(test.totalRuns) }),
  lastfailure: ({ test: { lastFailure } }) => ({
    label: 'failed',
    mild: !lastFailure,
    children: lastFailure ? (
      <Link to={paths.testCase(lastFailure.testCaseId)}>
        <Time value={lastFailure.startTime} />
      </Link>
    ) : (
      '–'
    ),
  }),
  lastrun: ({ test }) => ({ label: 'ran', children: <Time value={test.lastRun} /> }),
};

interface FigureProps {
  readonly name: FigureColumn;
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
