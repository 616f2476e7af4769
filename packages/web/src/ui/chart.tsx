import { Suspense, lazy, type ReactNode } from 'react';
import type { AxisSteps } from './chart-axes.ts';
import { Skeleton } from './skeleton.tsx';
import styles from './chart.module.css';

export interface Series {
  readonly label: string;
  /** A custom property of the tokens, such as `--series-1`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly format: (value: number | null) => string;
  /** Of the axis that it is on; without them lines stand at round numbers. */
  readonly axis?: AxisSteps;
  /** On the right, with an axis of its own. */
  readonly right?: boolean;
  readonly dashed?: boolean;
  /** Points of this size and no line: they mark some values of another series, so only the legend tells of them. */
  readonly dots?: number;
}

export const CHART_HEIGHT = 176;

export interface ChartProps {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  /** Of each point, oldest first. Keep these and the series between renders: new ones are drawn anew. */
  readonly times: readonly Date[];
  readonly series: readonly Series[];
  /** The left axis; from zero to the largest value without it. */
  readonly from?: number;
  readonly to?: number;
  readonly height?: number;
  /** The heading of a point, on hover and in the table. */
  readonly nameOf: (at: number) => ReactNode;
  readonly onPick?: (at: number) => void;
}

/** Whether the values are told one by one. */
export const isTold = ({ dots }: Series): boolean => dots === undefined;

/** The drawing is loaded only where there is one. */
const Drawing = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).ChartDrawing }));

/** Series over the same points, with the same as a table for those who cannot see them. */
export const Chart = (props: ChartProps) => (
  <figure aria-label={props.label}>
    {(props.series.length > 1 || props.series[0]?.label !== props.label) && (
      <div className={styles['legend']} aria-hidden="true">
        {props.series.map(({ label, colour, dots }) => (
          <span key={label}>
            <i className={dots ? styles['dot'] : undefined} style={{ background: `var(${colour})` }} />
            {label}
          </span>
        ))}
      </div>
    )}
    <div className={styles['chart']} style={{ minHeight: props.height ?? CHART_HEIGHT }} aria-hidden="true">
      <Suspense fallback={<Skeleton rows={4} />}>
        <Drawing {...props} />
      </Suspense>
    </div>
    <details className={styles['table']}>
      <summary>Show as table</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={`${props.label}, as a table`}>
        <ChartTable {...props} />
      </section>
    </details>
  </figure>
);

const ChartTable = ({ times, series, nameOf }: ChartProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col">Point</th>
        {series.filter(isTold).map(({ label }) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {times.map((_, at) => (
        <tr key={at}>
          <th scope="row">{nameOf(at)}</th>
          {series.filter(isTold).map(({ label, values, format }) => (
            <td key={label}>{format(values[at] ?? null)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
