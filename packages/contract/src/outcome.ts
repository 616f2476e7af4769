/** What a case status means for counting; a status nobody knows counts as none of these. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'other';

export const outcomeOf = (status: string): Outcome => {
  switch (status) {
    case 'passed':
      return 'passed';
    case 'failed':
    case 'timedOut':
    case 'interrupted':
      return 'failed';
    case 'skipped':
      return 'skipped';
    default:
      return 'other';
  }
};

export const isFlaky = (status: string, retries: number): boolean => status === 'passed' && retries > 0;

/** Statuses of runs, worst first; a status that nobody knows comes after these and before the good ones. */
const BAD = ['failed', 'timedout', 'interrupted'];
const GOOD = ['passed', 'skipped'];

const severityOf = (status: string): number => {
  const name = status.toLowerCase();
  if (BAD.includes(name)) return BAD.length - BAD.indexOf(name);
  return GOOD.includes(name) ? -1 - GOOD.indexOf(name) : 0;
};

/** What parts with these statuses make of their run; of equal ones the first. */
export const worstStatus = (statuses: readonly [string, ...string[]]): string =>
  statuses.reduce((worst, status) => (severityOf(status) > severityOf(worst) ? status : worst));

export interface CaseOutcome {
  readonly status: string;
  readonly retries?: number | null | undefined;
  readonly duration?: number | null | undefined;
}

export interface RunFigures {
  totalTests: number;
  passedTests: number;
  failedTests: number;
  skippedTests: number;
  flakyTests: number;
  avgTestDuration: number | null;
  p90TestDuration: number | null;
}

/** Figures that grow case by case. */
export interface GrowingFigures {
  passed: number;
  failed: number;
  skipped: number;
  other: number;
  flaky: number;
  readonly durations: number[];
}

export const startFigures = (): GrowingFigures => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  other: 0,
  flaky: 0,
  durations: [],
});

export const addToFigures = (
  figures: GrowingFigures,
  status: string,
  retries: number,
  duration: number | null | undefined,
): void => {
  switch (outcomeOf(status)) {
    case 'passed':
      figures.passed++;
      if (isFlaky(status, retries)) figures.flaky++;
      break;
    case 'failed':
      figures.failed++;
      break;
    case 'skipped':
      figures.skipped++;
      // It did not run, whatever duration was sent.
      return;
    case 'other':
      figures.other++;
  }
  if (duration !== null && duration !== undefined) figures.durations.push(duration);
};

export const finishFigures = ({ passed, failed, skipped, other, flaky, durations }: GrowingFigures): RunFigures => {
  const { mean, p90 } = durationFigures(durations);
  return {
    totalTests: passed + failed + skipped + other,
    passedTests: passed,
    failedTests: failed,
    skippedTests: skipped,
    flakyTests: flaky,
    avgTestDuration: mean,
    p90TestDuration: p90,
  };
};

export const runFigures = (cases: readonly CaseOutcome[]): RunFigures => {
  const figures = startFigures();
  for (const { status, retries, duration } of cases) addToFigures(figures, status, retries ?? 0, duration);
  return finishFigures(figures);
};

export interface DurationFigures {
  /** Rounded to whole milliseconds. */
  mean: number | null;
  min: number | null;
  max: number | null;
  p90: number | null;
}

export const durationFigures = (durations: readonly number[]): DurationFigures => {
  if (durations.length === 0) return { mean: null, min: null, max: null, p90: null };
  let sum = 0;
  let min = Infinity;
  let max = 0;
  for (const duration of durations) {
    sum += duration;
    min = Math.min(min, duration);
    max = Math.max(max, duration);
  }
  return { mean: Math.round(sum / durations.length), min, max, p90: nearestRank(durations, 90) };
};

/** The smallest value that at least `percent` of the values do not exceed. */
export const nearestRank = (values: ArrayLike<number>, percent: number): number | null =>
  values.length === 0
    ? null
    : select(Float64Array.from(values), Math.max(0, Math.ceil((percent * values.length) / 100) - 1));

/** The value that would be at an index if they were sorted, which costs much more than to find it. */
const select = (values: Float64Array, index: number): number => {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    // At random, so that no order of values, however chosen, takes long.
    const pivot = values[from + Math.floor(Math.random() * (to - from + 1))]!;
    let left = from;
    let right = to;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const value = values[left]!;
      values[left++] = values[right]!;
      values[right--] = value;
    }
    if (index <= right) to = right;
    else if (index >= left) from = left;
    else break;
  }
  return values[index]!;
};

export type Trend = 'faster' | 'slower' | 'stable';

/** Compares the mean of the later half of a series, oldest first, with that of the earlier half. */
export const trendOf = (durations: readonly number[]): Trend => {
  if (durations.length < 4) return 'stable';
  const middle = Math.floor(durations.length / 2);
  const earlier = mean(durations, 0, middle);
  const later = mean(durations, middle, durations.length);
  if (later > earlier * 1.1) return 'slower';
  if (later < earlier * 0.9) return 'faster';
  return 'stable';
};

const mean = (values: readonly number[], from: number, to: number): number => {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  return sum / (to - from);
};
