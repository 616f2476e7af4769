import type { DurationChange, PastResult } from '@assay/contract';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { DURATION_STEPS } from '../../ui/chart-axes.ts';
import { Chart, type Series } from '../../ui/chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Look, statusWords } from '../status/outcome.ts';
import { ResultStrip } from './result-strip.tsx';
import { durationsByLook, lookOfResult, usualDurations } from './results.ts';
import styles from './duration-panel.module.css';

const IN_STRIP = 40;

/** How the points look; the worse, the larger. */
const DOTS: Partial<Record<Look, { readonly label: string; readonly colour: string; readonly dots: number }>> = {
  passed: { label: 'Passed', colour: '--passed-fill', dots: 7 },
  flaky: { label: 'Flaky', colour: '--flaky-fill', dots: 9 },
  failed: { label: 'Failed', colour: '--failed-fill', dots: 9 },
  skipped: { label: 'Skipped', colour: '--skipped-fill', dots: 6 },
  other: { label: 'Other', colour: '--skipped-fill', dots: 6 },
};

interface Props {
  /** Newest first. */
  readonly results: readonly PastResult[];
  /** Where the durations changed for good, oldest first. */
  readonly changes: readonly DurationChange[];
}

/** The results over time: what became of them, and how long they took. */
export const DurationPanel = ({ results, changes }: Props) => {
  const [, navigate] = useLocation();
  const oldestFirst = useMemo(() => results.toReversed(), [results]);
  const times = useMemo(() => oldestFirst.map(({ startTime }) => new Date(startTime)), [oldestFirst]);
  const series = useMemo(
    (): Series[] => [
      {
        label: 'Duration',
        colour: '--line-strong',
        // What was skipped took no time, which the line does not fall for.
        values: oldestFirst.map((result) => (lookOfResult(result) === 'skipped' ? null : result.duration)),
        format: formatDuration,
        axis: DURATION_STEPS,
      },
      ...(changes.length > 0
        ? [
            {
              label: 'Usual duration',
              colour: '--accent',
              values: usualDurations(oldestFirst, changes),
              format: formatDuration,
              dashed: true,
            },
          ]
        : []),
      ...durationsByLook(oldestFirst).map(({ look, values }) => ({ ...DOTS[look]!, values, format: formatDuration })),
    ],
    [oldestFirst, changes],
  );
  const latest = useMemo(() => results.slice(0, IN_STRIP), [results]);
  if (results.length === 0) return null;
  return (
    <Panel title="Results over time" note={`the latest ${countOf(results.length, 'result')}`}>
      <div className={styles['strip']}>
        <ResultStrip results={latest} />
      </div>
      {results.length > 1 && (
        <div className={styles['chart']}>
          <Chart
            label="Durations of the results"
            times={times}
            series={series}
            nameOf={(at) => nameOf(oldestFirst[at]!)}
            onPick={(at) => navigate(paths.testCase(oldestFirst[at]!.id))}
          />
        </div>
      )}
    </Panel>
  );
};

const nameOf = (result: PastResult): string => {
  const words = statusWords(result.status, lookOfResult(result) === 'flaky');
  return `#${result.testRunId} · ${words}${result.branch ? ` on ${result.branch}` : ''}`;
};
