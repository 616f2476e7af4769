import fc from 'fast-check';

/** Something that must hold for everything random, measured in cases. */
export interface FuzzProperty {
  readonly name: string;
  readonly what: string;
  /** Tries so many random inputs of a seed; how many cases they were, or what does not hold. */
  readonly try: (seed: number, runs: number) => Promise<Tried>;
}

export interface Tried {
  readonly cases: number;
  readonly failure?: string | undefined;
}

/** A property whose every run is one case. */
export const fuzzProperty = <T>(
  name: string,
  what: string,
  arbitrary: fc.Arbitrary<T>,
  holds: (input: T) => void,
): FuzzProperty => ({
  name,
  what,
  try: async (seed, runs) => {
    const details = fc.check(fc.property(arbitrary, holds), { seed, numRuns: runs });
    return { cases: details.numRuns, failure: reportOf(details) };
  },
});

/** What failed, the smallest input that does and why; undefined if nothing did. */
export const reportOf = <T>(details: fc.RunDetails<T>): string | undefined =>
  details.failed ? `${fc.defaultReportMessage(details)}\n\n${String(details.errorInstance)}` : undefined;
