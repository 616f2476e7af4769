/** The 97.5 % quantile of the normal distribution. */
export const NORMAL_QUANTILE = 1.959963984540054;

/** The Wilson interval of a share, as a fraction of 1; of 95 % unless another quantile is given. */
export const wilsonInterval = (
  share: number,
  trials: number,
  quantile = NORMAL_QUANTILE,
): { low: number; high: number } => {
  const spread = (quantile * quantile) / trials;
  const centre = (share + spread / 2) / (1 + spread);
  const margin = (quantile * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  return { low: Math.max(0, centre - margin), high: Math.min(1, centre + margin) };
};

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
  const { low, high } = wilsonInterval(share, trials);
  return {
    rate: perCent(share),
    // At the ends the bound is exact, which floating point would miss.
    low: successes === 0 ? 0 : perCent(low),
    high: successes === trials ? 100 : perCent(high),
  };
};

const perCent = (share: number): number => Math.round(share * 1000) / 10;
