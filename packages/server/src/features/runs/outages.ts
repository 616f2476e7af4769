import type { RecentRun } from './run-refs.ts';

export type OutcomeCounts = Pick<RecentRun, 'total_tests' | 'failed_tests' | 'skipped_tests' | 'flaky_tests'>;

/** Fewer runs do not tell what is usual. */
const LEAST_RUNS = 10;
export const LEAST_OUTAGE_TESTS = 5;
/** Robust standard deviations above the median share of failures. */
const OUT_OF_PROPORTION = 6;
/** Of normal distributions: by how much the median of distances is to be multiplied for a standard deviation. */
const MAD_TO_DEVIATION = 1.4826;
/** Where hardly anything ever fails, a few failures are not yet an outage. */
const LEAST_SPREAD = 0.02;

/** The runs, or shards of runs, in which so much more failed or was flaky than usual that single tests are not the reason. */
export const findOutages = <R extends OutcomeCounts>(runs: readonly R[]): R[] => {
  const isOut = isOutOfProportion(runs.map(badShareOf), LEAST_SPREAD);
  return runs.filter((run, at) => isOut[at] && badTestsOf(run) >= LEAST_OUTAGE_TESTS);
};

/** Which shares are far above the usual one; null where there is none. */
export const isOutOfProportion = (shares: readonly (number | null)[], leastSpread: number): boolean[] => {
  const known = shares.filter((share) => share !== null);
  if (known.length < LEAST_RUNS) return shares.map(() => false);
  const usual = medianOf(known);
  const spread = Math.max(leastSpread, medianOf(known.map((share) => Math.abs(share - usual))));
  const most = usual + OUT_OF_PROPORTION * MAD_TO_DEVIATION * spread;
  return shares.map((share) => (share ?? 0) > most);
};

/** Of a run after too few to tell what is usual: so large a share is not, unless it was before. */
const LARGE_SHARE = 0.2;
const TIMES_BEFORE = 3;

/** The share of tests that failed in a run, if that is far more than in those before it. */
export const massShareOf = <R extends OutcomeCounts>(run: R, before: readonly R[]): number | null => {
  const share = badShareOf(run);
  if (share === null || badTestsOf(run) < LEAST_OUTAGE_TESTS) return null;
  const shares = before.map(badShareOf).filter((each) => each !== null);
  if (shares.length >= LEAST_RUNS) return findOutages([...before, run]).includes(run) ? share : null;
  return share >= Math.max(LARGE_SHARE, TIMES_BEFORE * medianOf(shares.length > 0 ? shares : [0])) ? share : null;
};

const badTestsOf = ({ failed_tests, flaky_tests }: OutcomeCounts): number => failed_tests + flaky_tests;

const badShareOf = (run: OutcomeCounts): number | null => {
  const ran = run.total_tests - run.skipped_tests;
  return ran > 0 ? badTestsOf(run) / ran : null;
};

const medianOf = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
