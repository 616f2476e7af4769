import { formatDuration } from '../format/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** How an axis is divided and what stands at its lines. */
export interface AxisSteps {
  /** Distances between two lines to choose from, ascending. */
  readonly steps: readonly number[];
  readonly tick: (value: number) => string;
}

/** `0`, `500 ms`, `30 s`, `5 m`, `1 h 30 m` */
export const DURATION_STEPS: AxisSteps = {
  steps: [
    ...ROUND,
    ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
    ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
    ...ROUND.map((hours) => hours * HOUR),
  ],
  tick: (value) => {
    if (value === 0) return '0';
    if (value < MINUTE) return formatDuration(value).replace('.0 s', ' s');
    return formatDuration(value)
      .replace(/ 00 [sm]$/, '')
      .replace(/ 0(\d) /, ' $1 ');
  },
};

/** A text that repeats the one before says nothing more. */
export const withoutRepeats = (texts: readonly string[]): string[] => {
  let before = '';
  return texts.map((text) => {
    if (text === '' || text === before) return '';
    before = text;
    return text;
  });
};
