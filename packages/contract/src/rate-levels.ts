/** What a test may be, and how often it then does not pass at once: for the service and `assay bisect` alike. */
export type RateKind = 'fine' | 'flaky' | 'broken';

export interface RateLevel {
  readonly kind: RateKind;
  /** How often it does not pass at once. */
  readonly rate: number;
  /** Among the levels of its kind. */
  readonly share: number;
}

const levelsOf = (kind: RateKind, rates: readonly (readonly [rate: number, weight: number])[]): RateLevel[] => {
  const all = rates.reduce((sum, [, weight]) => sum + weight, 0);
  return rates.map(([rate, weight]) => ({ kind, rate, share: weight / all }));
};

export const RATE_LEVELS: readonly RateLevel[] = [
  // Up to what nobody notices.
  ...levelsOf('fine', [
    [0.0001, 12],
    [0.001, 1],
    [0.006, 1],
  ]),
  // Equally likely by ratio.
  ...levelsOf('flaky', [
    [0.015, 1],
    [0.03, 1],
    [0.06, 1],
    [0.12, 1],
    [0.22, 1],
    [0.35, 1],
    [0.5, 1],
    [0.65, 0.5],
    [0.8, 0.5],
  ]),
  ...levelsOf('broken', [
    [0.93, 1],
    [0.99, 2],
    [0.999, 7],
  ]),
];
