import { formatDuration } from '../format/duration.ts';
import { Chart, type Series } from './chart.tsx';

const TIMES = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 2, day)));
const SERIES: readonly Series[] = [
  { label: 'Average', colour: '--series-1', values: [1_000, null, 3_000], format: formatDuration },
  { label: 'P90', colour: '--series-2', values: [2_000, 2_500, 4_000], format: formatDuration },
];

export const TwoSeries = () => (
  <Chart label="Test duration" times={TIMES} series={SERIES} nameOf={(at) => `#${at + 1}`} />
);
