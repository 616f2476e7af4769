/**
 * What a test is flaky with more often than without: exact tests, of which so few are believed that at most 5 % of what is
 * told is told by chance. See docs/statistics.md.
 */

/** Runs of a test with something and without it, and how many of them were flaky. */
export interface Table {
  readonly flakyWith: number;
  readonly runsWith: number;
  readonly flakyWithout: number;
  readonly runsWithout: number;
}

const FALSE_DISCOVERIES = 0.05;

/**
 * How likely at least as many flaky runs are with it, if it does not matter (Fisher), and how likely the most would be that
 * there can be.
 */
const chancesOf = (
  { flakyWith, runsWith, flakyWithout, runsWithout }: Table,
  logFactorials: Float64Array,
): { readonly chance: number; readonly least: number } => {
  const flaky = flakyWith + flakyWithout;
  const runs = runsWith + runsWithout;
  const logChoices = (of: number, chosen: number): number =>
    logFactorials[of]! - logFactorials[chosen]! - logFactorials[of - chosen]!;
  const all = logChoices(runs, flaky);
  const most = Math.min(flaky, runsWith);
  const at = (count: number): number =>
    Math.exp(logChoices(runsWith, count) + logChoices(runsWithout, flaky - count) - all);
  let chance = 0;
  for (let count = most; count >= flakyWith; count--) chance += at(count);
  return { chance: Math.min(1, chance), least: at(most) };
};

export interface Believed<T> {
  readonly found: T;
  /** How likely it is by chance alone. */
  readonly chance: number;
}

/**
 * The tables in which it matters, the least likely by chance first, by the rule of Benjamini and Hochberg. Tables that could
 * not be told from chance whatever they held are not counted among those that were tried.
 */
export const findFactors = <T extends Table>(tables: readonly T[]): { tried: number; believed: Believed<T>[] } => {
  const most = tables.reduce((sum, { runsWith, runsWithout }) => Math.max(sum, runsWith + runsWithout), 0);
  const logFactorials = new Float64Array(most + 1);
  for (let number = 1; number <= most; number++) {
    logFactorials[number] = logFactorials[number - 1]! + Math.log(number);
  }
  const tried = tables
    .map((found) => ({ found, ...chancesOf(found, logFactorials) }))
    .filter(({ least }) => least <= FALSE_DISCOVERIES)
    .sort((a, b) => a.chance - b.chance);
  const last = tried.findLastIndex(({ chance }, at) => chance <= (FALSE_DISCOVERIES * (at + 1)) / tried.length);
  return { tried: tried.length, believed: tried.slice(0, last + 1).map(({ found, chance }) => ({ found, chance })) };
};

/** One run of a test: whether it was flaky, and with what. */
export interface Sighting {
  readonly isFlaky: boolean;
  /** By kind what it was with; a kind that is left out is not known of it. */
  readonly with: Readonly<Partial<Record<string, readonly string[]>>>;
}

export interface FactorTable extends Table {
  readonly kind: string;
  readonly value: string;
}

/** One table for each value of a kind. */
export const tabulate = (sightings: readonly Sighting[], kind: string): FactorTable[] => {
  const known = sightings.filter((sighting) => sighting.with[kind] !== undefined);
  const flaky = known.filter(({ isFlaky }) => isFlaky).length;
  const counts = new Map<string, { flaky: number; runs: number }>();
  for (const { isFlaky, with: withIt } of known) {
    for (const value of new Set(withIt[kind])) {
      const count = counts.get(value) ?? { flaky: 0, runs: 0 };
      count.runs++;
      if (isFlaky) count.flaky++;
      counts.set(value, count);
    }
  }
  return [...counts].map(([value, count]) => ({
    kind,
    value,
    flakyWith: count.flaky,
    runsWith: count.runs,
    flakyWithout: flaky - count.flaky,
    runsWithout: known.length - count.runs,
  }));
};
