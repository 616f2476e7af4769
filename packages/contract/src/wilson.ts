/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

export interface RateFigures {
  /** Per cent, with one decimal. */
  rate: number;
  /** The 95 % Wilson interval: where the true rate is likely to be, seen from so few trials. */
  low: number;
  high: number;
}

export const rateFigures = (successes: number, trials: number): RateFigures => {
  if (trials === 0) return { rate: 0, low: 0, high: 100 };
  const share = successes / trials;
  const spread = (Z * Z) / trials;
  const centre = (share + spread / 2) / (1 + spread);
  const margin = (Z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  return {
    rate: perCent(share),
    // At the ends the bound is exact, which floating point would miss.
    low: successes === 0 ? 0 : perCent(Math.max(0, centre - margin)),
    high: successes === trials ? 100 : perCent(Math.min(1, centre + margin)),
  };
};

const perCent = (share: number): number => Math.round(share * 1000) / 10;
