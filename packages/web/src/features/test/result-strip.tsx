import type { PastResult } from '@assay/contract';
import { useMemo } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { formatRelative } from '../../format/time.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/clock.ts';
import { Link } from '../../ui/link.tsx';
import { lookOfCase, statusWords } from '../status/outcome.ts';
import { LookMark } from '../status/status-mark.tsx';
import styles from './result-strip.module.css';

interface Props {
  /** Newest first, as the service gives them. */
  readonly results: readonly PastResult[];
  /** The result that is on the page. */
  readonly current?: number;
}

/** Results side by side, oldest first: height is the duration, each with the mark of its status, each a link. */
export const ResultStrip = ({ results, current }: Props) => {
  const now = useNow();
  const oldestFirst = useMemo(() => results.toReversed(), [results]);
  const longest = Math.max(1, ...oldestFirst.map(({ duration }) => duration ?? 0));
  return (
    <ol className={styles['strip']}>
      {oldestFirst.map((result) => {
        const { id, testRunId, status, retries, duration, branch, startTime } = result;
        const look = lookOfCase(status, retries);
        const told = [
          `#${testRunId} ${statusWords(status, look === 'flaky').toLowerCase()}`,
          formatDuration(duration),
          formatRelative(new Date(startTime), now),
          ...(branch ? [`on ${branch}`] : []),
        ].join(', ');
        return (
          <li key={id}>
            <Link
              to={paths.testCase(id)}
              title={told}
              aria-label={told}
              aria-current={id === current ? 'true' : undefined}
            >
              <span className={styles['room']}>
                <i data-look={look} style={{ height: `${((duration ?? 0) / longest) * 100}%` }} />
              </span>
              <LookMark look={look} size={11} />
            </Link>
          </li>
        );
      })}
    </ol>
  );
};
