/**
 * The method that the estimates are compared with: a mixture over a grid of rates with a mass at zero, fitted to the tests of
 * a project by maximum likelihood.
 */

const LEAST_RATE = 1e-4;
const LARGEST_RATE = 0.99;
const RATES = 80;
const ROUNDS = 1_000;

const GRID = [
  0,
  ...Array.from({ length: RATES }, (_, at) => LEAST_RATE * (LARGEST_RATE / LEAST_RATE) ** (at / (RATES - 1))),
];

/** How many tests were flaky so many times. */
export type Tally = { readonly flaky: number; readonly tests: number };

/** The share of tests that have each rate of the grid. */
export const fitMixture = (tallies: readonly Tally[], runs: number): number[] => {
  const likely = tallies.map(({ flaky, tests }) => ({ tests, of: GRID.map((rate) => likelihood(rate, runs, flaky)) }));
  const all = tallies.reduce((sum, { tests }) => sum + tests, 0);
  let shares = GRID.map(() => 1 / GRID.length);
  for (let round = 0; round < ROUNDS; round++) {
    const next = GRID.map(() => 0);
    for (const { tests, of } of likely) {
      const whole = of.reduce((sum, each, at) => sum + each * shares[at]!, 0);
      for (const [at, each] of of.entries()) next[at]! += (tests * each * shares[at]!) / whole;
    }
    shares = next.map((share) => share / all);
  }
  return shares;
};

/** How likely the rate of a test is above some rate. */
export const chanceAbove = (
  shares: readonly number[],
  { runs, flaky, rate }: { readonly runs: number; readonly flaky: number; readonly rate: number },
): number => {
  let [above, whole] = [0, 0];
  for (const [at, each] of GRID.entries()) {
    const weight = shares[at]! * likelihood(each, runs, flaky);
    whole += weight;
    if (each > rate) above += weight;
  }
  return whole === 0 ? 1 : above / whole;
};

const likelihood = (rate: number, runs: number, flaky: number): number => rate ** flaky * (1 - rate) ** (runs - flaky);
