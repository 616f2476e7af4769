import type { ExecutionDifference } from '@assay/contract';
import type { Execution, Moment } from './execution.ts';

/** Of ten passing executions one may have an error too, as by a flake; of fewer none. */
const ENOUGH_FOR_ONE = 10;

/** A test that waits longer asks more often meanwhile. */
const WAITING_MS = 500;

/** A moment is slower when it took so many times as long as the longest of at least so many passing executions. */
const SLOWER_TIMES = 3;
const SLOWER_BY_MS = 300;
const FEWEST_DURATIONS = 3;
/** Moments that tell how much slower the whole machine was. */
const FEWEST_FOR_SPEED = 5;
const SHORTEST_FOR_SPEED_MS = 5;

const TELLS = { step: 'steps', request: 'requests', console: 'console' } as const;

/** What an execution has otherwise than passing ones of the same test, the first first. */
export const compareExecutions = (subject: Execution, passing: readonly Execution[]): ExecutionDifference[] => {
  const stop = subject.moments.find(isFailedStep) ?? null;
  const found: Placed[] = [];
  for (const kind of ['step', 'request', 'console'] as const) {
    const able = passing.filter(({ tells }) => tells[TELLS[kind]]);
    if (!subject.tells[TELLS[kind]] || able.length === 0) continue;
    found.push(...compareMoments({ kind, subject, stop, passing: able, speed: speedOf(subject, passing) }));
  }
  found.sort((a, b) => a.place - b.place);
  return [...compareSetups(subject, passing), ...found.map(({ difference }) => difference)];
};

interface Placed {
  readonly place: number;
  readonly difference: ExecutionDifference;
}

interface Compared {
  readonly kind: Moment['kind'];
  readonly subject: Execution;
  /** The step that failed. */
  readonly stop: Moment | null;
  readonly passing: readonly Execution[];
  /** How many times as long everything took. */
  readonly speed: number;
}

const isFailedStep = ({ kind, outcome, isOuterFailure }: Moment): boolean =>
  kind === 'step' && outcome === 'failed' && !isOuterFailure;
const endOf = ({ atMs, durationMs }: Moment): number => atMs + (durationMs ?? 0);
const signatureOf = ({ key, outcome }: Moment): string => `${outcome} ${key}`;
const mostAlike = (results: number): number => (results >= ENOUGH_FOR_ONE ? 1 : 0);

const compareMoments = (compared: Compared): Placed[] => {
  const { kind, subject, stop, passing } = compared;
  const own = subject.moments.filter((moment) => moment.kind === kind && !isAfter(moment, stop));
  const ofPassing = passing.map(({ moments }) => moments.filter((moment) => moment.kind === kind));
  const bySignature = ofPassing.map((moments) => countBy(moments, signatureOf));
  const byKey = ofPassing.map((moments) => Map.groupBy(moments, ({ key }) => key));
  const ownByKey = Map.groupBy(own, ({ key }) => key);
  const seen = new Map<string, number>();
  const told = new Set<string>();
  const found: Placed[] = [];
  const tell = (moment: Moment, place: number, difference: Partial<ExecutionDifference>): void => {
    told.add(moment.key);
    found.push({ place, difference: { ...describe(moment, passing.length), ...difference } });
  };
  for (const moment of own) {
    const { key } = moment;
    const signature = signatureOf(moment);
    const times = (seen.get(signature) ?? 0) + 1;
    seen.set(signature, times);
    if (moment.isOuterFailure || told.has(key) || isInside(key, told)) continue;
    const alike = bySignature.filter((counts) => (counts.get(signature) ?? 0) >= times).length;
    const usual = byKey.flatMap((moments) => moments.get(key) ?? []);
    if (alike <= (moment.isBad ? mostAlike(passing.length) : 0)) {
      const change = changeOf(moment, times, usual, byKey);
      if (change === 'repeated' && (kind === 'console' || isWhileWaiting(moment, stop))) continue;
      tell(moment, change === 'failed' ? endOf(moment) : moment.atMs, {
        change,
        here: change === 'failed' ? moment.error : statusOf(moment),
        usual: change === 'changed' ? mostFrequent(usual.map((each) => each.outcome)) : null,
        alike,
        hereTimes: ownByKey.get(key)!.length,
        usualTimes: Math.max(...byKey.map((moments) => moments.get(key)?.length ?? 0)),
      });
      continue;
    }
    const longest = slowerThan(moment, usual, compared.speed);
    if (longest === null || (moment.isOuter && own.some((each) => each.key.startsWith(`${key} › `)))) continue;
    const place = kind === 'step' ? endOf(moment) : moment.atMs;
    tell(moment, place, { change: 'slower', hereMs: moment.durationMs, usualMs: longest, alike: 0 });
  }
  return [...found, ...missingMoments(compared, own, ofPassing, told)];
};

const changeOf = (
  moment: Moment,
  times: number,
  usual: readonly Moment[],
  byKey: readonly ReadonlyMap<string, readonly Moment[]>[],
): ExecutionDifference['change'] => {
  if (isFailedStep(moment)) return 'failed';
  if (usual.some(({ outcome }) => outcome === moment.outcome)) return times > 1 ? 'repeated' : 'added';
  return 2 * byKey.filter((moments) => moments.has(moment.key)).length > byKey.length ? 'changed' : 'added';
};

/** What happens after the test has failed is cleaning up. */
const isAfter = (moment: Moment, stop: Moment | null): boolean =>
  stop !== null && moment !== stop && moment.atMs > endOf(stop);

const isWhileWaiting = (moment: Moment, stop: Moment | null): boolean =>
  stop !== null && moment.atMs > stop.atMs + WAITING_MS;

/** Of a step that is told already. */
const isInside = (key: string, told: ReadonlySet<string>): boolean => {
  for (let at = key.lastIndexOf(' › '); at > 0; at = key.lastIndexOf(' › ', at - 1)) {
    if (told.has(key.slice(0, at))) return true;
  }
  return false;
};

/** The longest of the passing ones, if it took much longer than that. */
const slowerThan = (moment: Moment, usual: readonly Moment[], speed: number): number | null => {
  const durations = usual.flatMap(({ durationMs }) => durationMs ?? []);
  if (moment.durationMs === null || moment.outcome === 'failed' || durations.length < FEWEST_DURATIONS) return null;
  const longest = Math.max(...durations);
  const expected = longest * speed;
  return moment.durationMs > SLOWER_TIMES * expected && moment.durationMs - expected > SLOWER_BY_MS ? longest : null;
};

/**
 * What nearly all passing executions have before the step that failed here, or while they wait for what it expects, and this
 * one has not. Where no step tells how far it came, nothing is known to be missing.
 */
const missingMoments = (
  { kind, subject, stop, passing }: Compared,
  own: readonly Moment[],
  ofPassing: readonly (readonly Moment[])[],
  told: ReadonlySet<string>,
): Placed[] => {
  if (kind === 'console') return [];
  const able = passing.flatMap((execution, at) => {
    const last = lastReached(execution, subject, stop);
    if (last === null) return [];
    const until = kind === 'request' && last.isExpectation ? endOf(last) : last.atMs;
    return [ofPassing[at]!.filter(({ atMs }) => atMs < until)];
  });
  const counts = able.map((moments) => countBy(moments, ({ key }) => key));
  const ownCounts = countBy(own, ({ key }) => key);
  const [latest] = able;
  const places = new Map(own.map(({ key, atMs }) => [key, atMs]));
  const found: Placed[] = [];
  const missing = new Set<string>();
  for (const moment of latest ?? []) {
    const { key } = moment;
    if (missing.has(key) || told.has(key) || isInside(key, missing)) continue;
    const here = ownCounts.get(key) ?? 0;
    const having = counts.filter((each) => (each.get(key) ?? 0) > here).length;
    if (having < able.length - mostAlike(able.length)) continue;
    missing.add(key);
    const usualTimes = Math.max(...counts.map((each) => each.get(key) ?? 0));
    found.push({
      place: placeOf(moment, latest!, places, stop),
      difference: {
        ...describe(moment, able.length),
        change: 'missing',
        usual: statusOf(moment),
        alike: able.length - having,
        hereTimes: here,
        usualTimes,
        atMs: null,
      },
    });
  }
  return found;
};

/** The step of a passing execution that the subject came to: the one that failed, or the last. */
const lastReached = (execution: Execution, subject: Execution, stop: Moment | null): Moment | null => {
  const last = stop ?? subject.moments.findLast(({ kind }) => kind === 'step');
  if (!last) return null;
  const before = subject.moments.filter(({ kind, key }) => kind === 'step' && key === last.key);
  const counterparts = execution.moments.filter(({ kind, key }) => kind === 'step' && key === last.key);
  return counterparts[Math.max(0, before.indexOf(last))] ?? null;
};

/** Before what both have next; where nothing follows, before the step that failed. */
const placeOf = (
  moment: Moment,
  passing: readonly Moment[],
  places: ReadonlyMap<string, number>,
  stop: Moment | null,
): number => {
  for (let next = passing.indexOf(moment) + 1; next < passing.length; next++) {
    const at = places.get(passing[next]!.key);
    if (at !== undefined) return at - 0.5;
  }
  return stop === null ? Infinity : endOf(stop) - 0.5;
};

/** The median of how many times as long moments took as in passing executions; 1 where they were quicker. */
const speedOf = (subject: Execution, passing: readonly Execution[]): number => {
  const usual = new Map<string, number[]>();
  for (const { moments } of passing) {
    for (const { key, durationMs, isOuter } of moments) {
      if (durationMs === null || isOuter) continue;
      const known = usual.get(key);
      if (known) known.push(durationMs);
      else usual.set(key, [durationMs]);
    }
  }
  const ratios: number[] = [];
  for (const { key, durationMs, outcome, isOuter } of subject.moments) {
    const median = medianOf(usual.get(key) ?? []);
    if (durationMs === null || isOuter || outcome === 'failed' || median < SHORTEST_FOR_SPEED_MS) continue;
    ratios.push(durationMs / median);
  }
  return ratios.length < FEWEST_FOR_SPEED ? 1 : Math.max(1, medianOf(ratios));
};

/** 0 of none. */
const medianOf = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const compareSetups = (subject: Execution, passing: readonly Execution[]): ExecutionDifference[] => {
  const found: ExecutionDifference[] = [];
  const compare = (kind: 'version' | 'environment', what: string, here: string | null, usual: readonly string[]) => {
    if (here === null || usual.length === 0) return;
    const alike = usual.filter((each) => each === here).length;
    if (alike > mostAlike(usual.length)) return;
    found.push({
      ...EMPTY,
      kind,
      change: 'changed',
      what,
      here,
      usual: mostFrequent(usual),
      hereTimes: 1,
      usualTimes: alike > 0 ? 1 : 0,
      results: usual.length,
      alike,
    });
  };
  compare(
    'environment',
    'environment',
    subject.environment,
    passing.flatMap(({ environment }) => environment ?? []),
  );
  for (const [name, version] of subject.versions) {
    compare(
      'version',
      name,
      version,
      passing.flatMap(({ versions }) => versions.get(name) ?? []),
    );
  }
  return found;
};

const EMPTY = {
  here: null,
  usual: null,
  hereMs: null,
  usualMs: null,
  hereTimes: 0,
  usualTimes: 0,
  alike: 0,
  atMs: null,
};

const describe = (moment: Moment, results: number): ExecutionDifference => ({
  ...EMPTY,
  kind: moment.kind,
  change: 'added',
  what: moment.text,
  hereTimes: 1,
  results,
  atMs: moment.isTimed ? Math.round(moment.atMs) : null,
});

const statusOf = ({ kind, outcome }: Moment): string | null => (kind === 'request' ? outcome : null);

const countBy = (moments: readonly Moment[], keyOf: (moment: Moment) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const moment of moments) counts.set(keyOf(moment), (counts.get(keyOf(moment)) ?? 0) + 1);
  return counts;
};

const mostFrequent = (values: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
};
