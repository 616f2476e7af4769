import type { Execution, Moment } from './execution.ts';
import {
  endOf,
  countBy,
  describe,
  isInside,
  keyOf,
  mostAlike,
  statusOf,
  type Compared,
  type Placed,
} from './moments.ts';

/**
 * What nearly all passing executions have before the step that failed here, or while they wait for what it expects, and this
 * one has not. Where no step tells how far it came, nothing is known to be missing.
 */
export function* missingMoments(
  { kind, subject, own, stop, passing }: Compared,
  told: ReadonlySet<string>,
): Generator<undefined, Placed[]> {
  if (kind === 'console') return [];
  const able: Moment[][] = [];
  for (const execution of passing) {
    yield;
    const last = lastReached(execution, subject, stop);
    if (last === null) continue;
    const until = kind === 'request' && last.isExpectation ? endOf(last) : last.atMs;
    able.push(execution.moments.filter((moment) => moment.kind === kind && moment.atMs < until));
  }
  const counts = able.map((moments) => countBy(moments, keyOf));
  const ownTimes = countBy(own, keyOf);
  const places = placesOf(able[0] ?? [], own, stop);
  const found: Placed[] = [];
  const missing = new Set<string>();
  for (const [at, moment] of (able[0] ?? []).entries()) {
    yield;
    const { key } = moment;
    if (missing.has(key) || told.has(key) || isInside(key, missing)) continue;
    const here = ownTimes.get(key) ?? 0;
    const having = counts.filter((each) => (each.get(key) ?? 0) > here).length;
    if (having < able.length - mostAlike(able.length)) continue;
    missing.add(key);
    found.push({
      place: places[at]!,
      difference: {
        ...describe(moment, able.length),
        change: 'missing',
        usual: statusOf(moment),
        alike: able.length - having,
        hereTimes: here,
        usualTimes: Math.max(...counts.map((each) => each.get(key) ?? 0)),
        atMs: null,
      },
    });
  }
  return found;
}

/** The step of a passing execution that the subject came to: the one that failed, or the last. */
const lastReached = (execution: Execution, subject: Execution, stop: Moment | null): Moment | null => {
  const last = stop ?? subject.moments.findLast(({ kind }) => kind === 'step');
  if (!last) return null;
  const before = subject.moments.filter(({ kind, key }) => kind === 'step' && key === last.key);
  const counterparts = execution.moments.filter(({ kind, key }) => kind === 'step' && key === last.key);
  return counterparts[Math.max(0, before.indexOf(last))] ?? null;
};

/** Of each: before what both have next; where nothing follows, before the step that failed. */
const placesOf = (passing: readonly Moment[], own: readonly Moment[], stop: Moment | null): number[] => {
  const ownPlaces = new Map(own.map(({ key, atMs }) => [key, atMs]));
  let next = stop === null ? Infinity : endOf(stop);
  const places: number[] = [];
  for (let at = passing.length - 1; at >= 0; at--) {
    places[at] = next - 0.5;
    next = ownPlaces.get(passing[at]!.key) ?? next;
  }
  return places;
};
