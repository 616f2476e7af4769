/** How a project behaves over time. */
export interface Temperament {
  readonly flakyShare: number;
  /** The rate of the flakiest test; most are well below. */
  readonly worstFlakyRate: number;
  readonly skippedShare: number;
  /** Chances per span of runs; see incidents.ts. */
  readonly sharedIncidents: number;
  readonly singleIncidents: number;
  readonly outages: number;
  readonly branchBreakages: number;
  readonly interruptedRuns: number;
}

export const temperaments = {
  usual: {
    flakyShare: 0.06,
    worstFlakyRate: 0.3,
    skippedShare: 0.03,
    sharedIncidents: 0.6,
    singleIncidents: 0.35,
    outages: 0.5,
    branchBreakages: 0.4,
    interruptedRuns: 0.012,
  },
  spotless: {
    flakyShare: 0,
    worstFlakyRate: 0,
    skippedShare: 0,
    sharedIncidents: 0,
    singleIncidents: 0,
    outages: 0,
    branchBreakages: 0,
    interruptedRuns: 0,
  },
  flaky: {
    flakyShare: 0.4,
    worstFlakyRate: 0.75,
    skippedShare: 0.06,
    sharedIncidents: 0.5,
    singleIncidents: 0.8,
    outages: 0.9,
    branchBreakages: 0.7,
    interruptedRuns: 0.03,
  },
} satisfies Record<string, Temperament>;
export type TemperamentName = keyof typeof temperaments;
