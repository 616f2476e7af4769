/**
 * The fewest statements that account for the failures of a run, by description length: a statement costs some bits to
 * make, and saves what it would take to tell the reason, and the place, of each failure by itself. See docs/statistics.md.
 */

const PLACES = ['shard', 'worker', 'browser', 'environment', 'version', 'file', 'touched'] as const;
/** A file that the change of the run touched is such a place, too; which of them is not told. */
export const TOUCHED = 'touched';
export type Place = (typeof PLACES)[number];

export type Places = Readonly<Record<Place, string | null>>;

export interface Failure extends Places {
  readonly cause: string | null;
  /** The number of the run since which it fails, if it did before. */
  readonly since: number | null;
  /** Whether the test was flaky before. */
  readonly isKnownFlake: boolean;
  /** Runs in which it was flaky with this cause. */
  readonly flakesAlike: number;
  readonly startMs: number | null;
}

/** What ran in the run, failures and all. */
export interface Surroundings {
  readonly ran: number;
  readonly at: Readonly<Record<Place, ReadonlyMap<string, number>>>;
  /** Ascending; empty where they are not known. */
  readonly startsMs: Float64Array;
  /** What all of the run has and no run before it had. */
  readonly news: readonly News[];
}

/** Another environment, or another version of a tool. */
export interface News {
  readonly of: 'environment' | 'version';
  readonly value: string;
  /** What the run before had; null when nothing. */
  readonly before: string | null;
}

export interface TimeSpan {
  readonly fromMs: number;
  /** Null where it goes on to the end of the run. */
  readonly toMs: number | null;
}

/** What failures have in common. */
export type Trait =
  | { readonly kind: 'since'; readonly run: number }
  | { readonly kind: 'flake' }
  | { readonly kind: 'cause'; readonly cause: string }
  | { readonly kind: 'place'; readonly place: Place; readonly value: string }
  | { readonly kind: 'news'; readonly news: News }
  | { readonly kind: 'time'; readonly span: TimeSpan };

export interface Statement {
  /** What accounts for them; the first is why they are told together, the others they share. */
  readonly traits: readonly Trait[];
  /** Their numbers. */
  readonly failures: readonly number[];
  /** Where it is a place or a time: what else ran there. */
  readonly ran: number | null;
}

export interface Explanation {
  /** The one that accounts for most first. */
  readonly statements: readonly Statement[];
  /** The failures that each have a reason of their own. */
  readonly unexplained: readonly number[];
}

/** Bits that it takes to make a statement. */
const COST = { since: 6, flake: 6, cause: 12, place: 8, news: 8 };
/** Bits that it saves with each failure, of those that telling its reason would take. */
const SAVED = { since: 11, flake: 9, cause: 10, place: 2, news: 2 };
/** That was seen when the test was flaky before. */
const SAVED_WITH_ERROR = 10;
/**
 * Bits by which a place or a time has to tell where the failures are before it is a reason, beyond those that choosing it
 * among all such places takes: of many places, one has more failures than others by chance.
 */
const LEAST_LOCATED = 10;
const LEAST_LOCATED_WITH_OTHERS = 10;
/** Share of the failures of a statement that have something in common. */
const SHARED = 0.9;
const MOST_STATEMENTS = 8;
const MOST_MOMENTS = 100;

/** All at once. */
export const explainFailures = (failures: readonly Failure[], surroundings: Surroundings): Explanation => {
  const steps = explainInSteps(failures, surroundings);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** In steps of some milliseconds, however many failures there are. */
export function* explainInSteps(
  failures: readonly Failure[],
  surroundings: Surroundings,
): Generator<undefined, Explanation> {
  const bitsOf = createChoices(surroundings.ran);
  let open = failures.map((_, at) => at);
  const statements: Statement[] = [];
  while (open.length > 0 && statements.length < MOST_STATEMENTS) {
    yield;
    const told = { failures, open, surroundings, bitsOf };
    // What is new about all of the run accounts for what nothing else does.
    const best = bestOf(candidatesFor(told)) ?? bestOf(newsFor(told));
    if (!best) break;
    yield;
    const statement = describe(failures, surroundings, best);
    statements.push(statement);
    const done = new Set(statement.failures);
    open = open.filter((at) => !done.has(at));
  }
  return { statements, unexplained: open };
}

interface Candidate {
  readonly trait: Trait;
  readonly failures: () => readonly number[];
  readonly ran: number | null;
  readonly gain: number;
}

const bestOf = (candidates: readonly Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (best, candidate) => (candidate.gain > (best?.gain ?? 0) ? candidate : best),
    null,
  );

type Choices = (of: number, chosen: number) => number;

interface Told {
  readonly failures: readonly Failure[];
  /** Those that are not accounted for yet. */
  readonly open: readonly number[];
  readonly surroundings: Surroundings;
  readonly bitsOf: Choices;
}

const together = (
  trait: Extract<Trait, { kind: 'since' | 'flake' | 'cause' | 'news' }>,
  some: readonly number[],
  more = 0,
): Candidate => ({
  trait,
  failures: () => some,
  ran: null,
  gain: some.length * SAVED[trait.kind] + more - COST[trait.kind],
});

const newsFor = ({ failures, open, surroundings }: Told): Candidate[] => {
  // What failed before, or does so now and then, needs nothing new.
  const fresh = open.filter((at) => failures[at]!.since === null && !failures[at]!.isKnownFlake);
  return surroundings.news.map((news) => together({ kind: 'news', news }, fresh));
};

const candidatesFor = (told: Told): Candidate[] => {
  const { failures, open, surroundings } = told;
  const since = groups(open, (at) => failures[at]!.since);
  const causes = groups(open, (at) => failures[at]!.cause);
  const flakes = open.filter((at) => failures[at]!.isKnownFlake);
  const alike = flakes.filter((at) => failures[at]!.flakesAlike > 0).length;
  return [
    ...[...since].map(([run, some]) => together({ kind: 'since', run }, some)),
    together({ kind: 'flake' }, flakes, alike * (SAVED_WITH_ERROR - SAVED.flake)),
    ...[...causes].map(([cause, some]) => together({ kind: 'cause', cause }, some)),
    ...PLACES.flatMap((place) => {
      const { [place]: values } = surroundings.at;
      return [...groups(open, (at) => failures[at]![place])].map(([value, some]) => {
        const ran = values.get(value)!;
        const gain = gainOfPlace(told, some.length, ran, values.size);
        return { trait: { kind: 'place', place, value } as const, failures: () => some, ran, gain };
      });
    }),
    ...bestSpan(told),
  ];
};

/** What is saved by telling that so many failures are where so many tests ran, one of some such places. */
const gainOfPlace = ({ open, surroundings, bitsOf }: Told, count: number, ran: number, choices: number): number => {
  const { length: all } = open;
  const saved = bitsOf(surroundings.ran, all) - bitsOf(ran, count) - bitsOf(surroundings.ran - ran, all - count);
  const bits = saved - Math.log2(choices);
  const isThere = bits >= LEAST_LOCATED && count * surroundings.ran > all * ran;
  return isThere ? bits + count * SAVED.place - COST.place : 0;
};

/** From some failure to a later one, or to the end: the span that tells most. */
const bestSpan = (told: Told): Candidate[] => {
  const { failures, open, surroundings } = told;
  const { startsMs } = surroundings;
  if (startsMs.length === 0) return [];
  const startOf = (at: number): number => failures[at]!.startMs!;
  const timed = open.filter((at) => failures[at]!.startMs !== null).sort((a, b) => startOf(a) - startOf(b));
  const step = Math.max(1, Math.ceil(timed.length / MOST_MOMENTS));
  const moments = timed.flatMap((at, number) =>
    number % step === 0 || number === timed.length - 1
      ? { number, ranBefore: countUpTo(startsMs, startOf(at) - 1), ranUpTo: countUpTo(startsMs, startOf(at)) }
      : [],
  );
  const end = moments.at(-1);
  if (end) end.ranUpTo = startsMs.length;
  const choices = (moments.length * (moments.length - 1)) / 2;
  let best = { first: 0, last: 0, ran: 0, gain: 0 };
  for (const [at, { number: first, ranBefore }] of moments.entries()) {
    for (let other = at + 1; other < moments.length; other++) {
      const { number: last, ranUpTo } = moments[other]!;
      const ran = ranUpTo - ranBefore;
      const gain = gainOfPlace(told, last + 1 - first, ran, choices);
      if (gain > best.gain) best = { first, last, ran, gain };
    }
  }
  const { first, last, ran, gain } = best;
  if (gain === 0) return [];
  const toMs = last === timed.length - 1 ? null : startOf(timed[last]!);
  const span = { fromMs: startOf(timed[first]!), toMs };
  return [{ trait: { kind: 'time', span }, failures: () => timed.slice(first, last + 1), ran, gain }];
};

/** How many of the numbers, which ascend, are at most this one. */
const countUpTo = (ascending: Float64Array, number: number): number => {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= number) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** With what else nearly all of its failures have in common, and most of what ran has not. */
const describe = (
  failures: readonly Failure[],
  { ran: allRan, at, startsMs }: Surroundings,
  { trait, ran, failures: those }: Candidate,
): Statement => {
  const told = those();
  const shared: Trait[] = [];
  const mostCommon = <K>(keyOf: (failure: Failure) => K | null): K | null => {
    const [most] = [...groups(told, (each) => keyOf(failures[each]!))].sort(([, a], [, b]) => b.length - a.length);
    return most && most[1].length >= SHARED * told.length ? most[0] : null;
  };
  const tells = (thereRan: number): boolean =>
    thereRan < allRan && told.length * Math.log2(allRan / thereRan) >= LEAST_LOCATED_WITH_OTHERS;
  const cause = mostCommon((failure) => failure.cause);
  if (cause !== null && trait.kind !== 'cause') shared.push({ kind: 'cause', cause });
  const since = mostCommon((failure) => failure.since);
  if (since !== null && trait.kind !== 'since') shared.push({ kind: 'since', run: since });
  for (const place of PLACES) {
    const value = mostCommon((failure) => failure[place]);
    if (value === null || (trait.kind === 'place' && trait.place === place)) continue;
    if (tells(at[place].get(value)!)) shared.push({ kind: 'place', place, value });
  }
  const starts = told.flatMap((each) => failures[each]!.startMs ?? []);
  if (trait.kind !== 'time' && trait.kind !== 'since' && startsMs.length > 0 && starts.length === told.length) {
    const fromMs = starts.reduce((first, start) => Math.min(first, start), Infinity);
    const after = startsMs.length - countUpTo(startsMs, fromMs - 1);
    if (tells(after + allRan - startsMs.length)) shared.push({ kind: 'time', span: { fromMs, toMs: null } });
  }
  return { traits: [trait, ...shared], failures: told, ran };
};

const groups = <K>(failures: readonly number[], keyOf: (at: number) => K | null): Map<K, number[]> => {
  const found = new Map<K, number[]>();
  for (const at of failures) {
    const key = keyOf(at);
    if (key === null) continue;
    const known = found.get(key);
    if (known) known.push(at);
    else found.set(key, [at]);
  }
  return found;
};

/** The bits that tell which of some were chosen. */
const createChoices = (most: number): Choices => {
  const factorials = new Float64Array(most + 1);
  for (let number = 1; number <= most; number++) factorials[number] = factorials[number - 1]! + Math.log2(number);
  return (of, chosen) => factorials[of]! - factorials[chosen]! - factorials[of - chosen]!;
};
