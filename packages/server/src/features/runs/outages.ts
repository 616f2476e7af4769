import type { RecentRun } from './run-refs.ts';

/** Fewer runs do not tell what is usual. */
const LEAST_RUNS = 10;
const LEAST_TESTS = 5;
/** Robust standard deviations above the median share of failures. */
const OUT_OF_PROPORTION = 6;
/** Of normal distributions: by how much the median of distances is to be multiplied for a standard deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** Where hardly anything ever fails, a few failures are not yet an outage. */
const LEAST_SPREAD = 0.02;

/** The runs in which so much more failed or was flaky than usual that single tests are not the reason. */
export const findOutages = <R extends RecentRun>(runs: readonly R[]): R[] => {
  const shares = runs.map(badShareOf);
  const known = shares.filter((share) => share !== null);
  if (known.length < LEAST_RUNS) return [];
  const usual = medianOf(known);
  const spread = Math.max(LEAST_SPREAD, medianOf(known.map((share) => Math.abs(share - usual))));
  const most = usual + OUT_OF_PROPORTION * MAD_TO_DEVIATION * spread;
  return runs.filter((run, at) => (shares[at] ?? 0) > most && badTestsOf(run) >= LEAST_TESTS);
};

const badTestsOf = ({ failed_tests, flaky_tests }: RecentRun): number => failed_tests + flaky_tests;

const badShareOf = (run: RecentRun): number | null => {
  const ran = run.total_tests - run.skipped_tests;
  return ran > 0 ? badTestsOf(run) / ran : null;
};

const medianOf = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
