import { useEffect, useEffectEvent, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatClock, formatDay } from '../format/time.ts';
import { withoutRepeats } from './chart-axes.ts';
import { CHART_HEIGHT, type ChartProps, isTold } from './chart.tsx';
import styles from './chart.module.css';

const POINTS_UP_TO = 120;
const LESS_THAN_A_DAY_MS = 20 * 3_600_000;
// oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- this enum is there in types only
const RIGHT: uPlot.Axis['side'] = 1;

/** Points stand at equal distances: runs of one busy hour are as wide as those of a quiet week. */
export const ChartDrawing = (props: ChartProps) => {
  const { times, series, height = CHART_HEIGHT, nameOf, onPick } = props;
  const box = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<{ at: number; left: number } | null>(null);
  const pick = useEffectEvent((at: number) => onPick?.(at));
  const makePlot = useEffectEvent((element: HTMLElement, data: uPlot.AlignedData): uPlot => {
    return new uPlot(optionsOf(props, element.clientWidth, height, setTip), data, element);
  });
  useEffect(() => {
    const element = box.current!;
    const data = [times.map((_, at) => at), ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
    let plot: uPlot | null = null;
    const draw = (): void => {
      plot?.destroy();
      plot = makePlot(element, data);
      const { over } = plot;
      over.addEventListener('click', () => {
        const at = plot?.cursor.idx;
        if (at !== null && at !== undefined) pick(at);
      });
    };
    draw();
    const resizing = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    window.addEventListener('themechange', draw);
    return () => {
      resizing.disconnect();
      scheme.removeEventListener('change', draw);
      window.removeEventListener('themechange', draw);
      plot?.destroy();
    };
  }, [times, series, height]);
  return (
    <div ref={box}>
      {tip && (
        <div className={styles['tip']} style={{ translate: `${tip.left}px 0` }}>
          <strong>{nameOf(tip.at)}</strong>
          {series.filter(isTold).map(({ label, values, format }) => (
            <span key={label}>
              {label}: {format(values[tip.at] ?? null)}
            </span>
          ))}
        </div>
      )}
    </div>
  );
};

type ShowTip = (tip: { at: number; left: number } | null) => void;

const optionsOf = (props: ChartProps, width: number, height: number, showTip: ShowTip): uPlot.Options => {
  const { times, series, from = 0, to } = props;
  const style = getComputedStyle(document.documentElement);
  const probe = document.createElement('span');
  document.body.append(probe);
  const colourOf = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const ink = colourOf('--ink-2');
  const line = colourOf('--line');
  const font = `11px ${style.getPropertyValue('--font')}`;
  const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const span = (times.at(-1)?.getTime() ?? 0) - (times[0]?.getTime() ?? 0);
  const label = span < LESS_THAN_A_DAY_MS ? formatClock : formatDay;
  const left = series.find(({ right }) => !right);
  const right = series.find((one) => one.right);
  const options: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, Math.max(0.5, times.length - 0.5)] },
      y: { range: (_, __, max) => [from, to ?? Math.max(max * 1.08, from + 1)] },
      right: { range: (_, __, max) => [0, Math.max(max * 1.08, 1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        gap: 9,
        space: 70,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        values: (_, splits) =>
          withoutRepeats(splits.map((at) => (Number.isInteger(at) && times[at] ? label(times[at]) : ''))),
      },
      {
        ...axis,
        size: 62,
        ...(left?.axis ? { incrs: [...left.axis.steps] } : {}),
        values: (_, splits) => splits.map((value) => (left?.axis?.tick ?? left?.format)?.(value) ?? ''),
      },
      ...(right
        ? [
            {
              ...axis,
              side: RIGHT,
              scale: 'right',
              size: 62,
              grid: { show: false },
              values: (_: uPlot, splits: number[]) => splits.map((value) => right.format(value)),
            },
          ]
        : []),
    ],
    series: [
      {},
      ...series.map(({ label, colour, right: onRight, dashed, dots }) => ({
        label,
        scale: onRight ? 'right' : 'y',
        stroke: colourOf(colour),
        width: 1.5,
        spanGaps: true,
        points: dots
          ? { show: true, size: dots, fill: colourOf(colour), stroke: colourOf('--surface'), width: 1 }
          : { show: times.length <= POINTS_UP_TO, size: 5, fill: colourOf(colour) },
        ...(dashed ? { dash: [5, 4] } : {}),
        ...(dots ? { paths: () => null } : {}),
      })),
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left: x = 0 }, over }) => {
          if (idx === null || idx === undefined || x < 0) return showTip(null);
          const offset = over.offsetLeft;
          showTip({ at: idx, left: x > over.clientWidth / 2 ? Math.max(0, x + offset - 200) : x + offset + 14 });
        },
      ],
    },
  };
  probe.remove();
  return options;
};
