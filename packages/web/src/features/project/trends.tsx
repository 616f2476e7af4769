import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { DURATION_STEPS } from '../../ui/chart-axes.ts';
import { Chart, type Series } from '../../ui/chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { shortCommit } from '../revision/short-commit.ts';
import { passRate } from '../status/outcome.ts';
import type { Run } from './runs.ts';
import styles from './trends.module.css';

const HEIGHT = 136;
/** A rate that hardly moves still shows that it does. */
const LOWEST_CEILING = 0.9;

interface Trend {
  readonly title: string;
  readonly series: readonly Series[];
  readonly from?: number;
  readonly to?: number;
}

/** How some runs went, newest first, with the runs as points that open. */
export const Trends = ({ runs }: { readonly runs: readonly Run[] }) => {
  const [, navigate] = useLocation();
  const shown = useMemo(() => runs.toReversed(), [runs]);
  const times = useMemo(() => shown.map(({ startTime }) => new Date(startTime)), [shown]);
  const trends = useMemo(() => trendsOf(shown), [shown]);
  const nameOf = useCallback((at: number) => <RunName run={shown[at]} />, [shown]);
  const open = useCallback((at: number) => shown[at] && navigate(paths.run(shown[at].id)), [shown, navigate]);
  return (
    <Panel title="Trend" note={countOf(runs.length, 'run')}>
      <div className={styles['charts']}>
        {trends.map(({ title, ...trend }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <Chart label={title} times={times} height={HEIGHT} nameOf={nameOf} onPick={open} {...trend} />
          </section>
        ))}
      </div>
    </Panel>
  );
};

const RunName = ({ run }: { readonly run: Run | undefined }) =>
  run && (
    <>
      #{run.id}
      {run.branch && ` ${run.branch}`}
      {run.commit && ` ${shortCommit(run.commit)}`}
    </>
  );

const trendsOf = (runs: readonly Run[]): readonly Trend[] => {
  const rates = runs.map(passRate);
  return [
    {
      title: 'Pass rate',
      from: Math.max(0, Math.floor(Math.min(LOWEST_CEILING, ...rates.flatMap((rate) => rate ?? [])) * 20 - 0.5) / 20),
      to: 1,
      series: [{ label: 'Pass rate', colour: '--passed-fill', values: rates, format: formatShare }],
    },
    {
      title: 'Test duration',
      series: [
        {
          label: 'Average',
          colour: '--series-1',
          values: runs.map((run) => run.avgTestDuration),
          format: formatDuration,
          axis: DURATION_STEPS,
        },
        { label: 'P90', colour: '--series-2', values: runs.map((run) => run.p90TestDuration), format: formatDuration },
      ],
    },
    {
      title: 'Run duration',
      series: [
        {
          label: 'Run duration',
          colour: '--series-1',
          values: runs.map((run) => run.duration),
          format: formatDuration,
          axis: DURATION_STEPS,
        },
      ],
    },
  ];
};
