import type { RequestGroup } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { classNames } from '../../ui/class-names.ts';
import { Reveal } from '../../ui/reveal.tsx';
import { LookMark } from '../status/status-mark.tsx';
import { RouteCases } from './route-cases.tsx';
import styles from './route-row.module.css';

interface Props {
  readonly group: RequestGroup;
  readonly runId: number;
  /** What a whole bar stands for. */
  readonly scaleMs: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

export const RouteRow = ({ group, runId, scaleMs, open, onToggle }: Props) => {
  const { method, route, count, avgDuration, p90Duration, maxDuration, errorRate, testCaseIds } = group;
  return (
    <>
      <div className={classNames(styles['row'], errorRate > 0 && styles['failing'])}>
        <code className={styles['method']}>{method}</code>
        <Reveal open={open} onToggle={onToggle} title={route}>
          {route.split(/(:(?:id|uuid|hash))(?=\/|$)/).map((part, at) => (
            <span key={at} className={at % 2 === 1 ? styles['any'] : undefined}>
              {part}
            </span>
          ))}
        </Reveal>
        <span className={classNames(styles['number'], styles['count'])}>{formatCount(count)}</span>
        <span className={styles['lane']} aria-hidden="true">
          {p90Duration !== null && (
            <>
              <span style={{ width: `${(p90Duration / scaleMs) * 100}%` }} />
              <b style={{ left: `${(p90Duration / scaleMs) * 100}%` }} />
            </>
          )}
          <i style={{ width: `${((avgDuration ?? 0) / scaleMs) * 100}%` }} />
        </span>
        <span className={classNames(styles['number'], styles['average'])} data-label="avg">
          {formatDuration(avgDuration)}
        </span>
        <span className={styles['number']} data-label="P90">
          {formatDuration(p90Duration)}
        </span>
        <span className={styles['number']} data-label="max">
          {formatDuration(maxDuration)}
        </span>
        <span className={classNames(styles['number'], styles['errors'])} data-label="err">
          {errorRate > 0 && <LookMark look="failed" size={12} />}
          {errorRate} %
        </span>
      </div>
      {open && <RouteCases runId={runId} ids={testCaseIds} />}
    </>
  );
};
