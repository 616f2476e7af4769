import type { ExecutionDifference } from '@assay/contract';
import { compareSetups } from './compare-setups.ts';
import type { Execution, Moment } from './execution.ts';
import { missingMoments } from './missing-moments.ts';
import {
  type Compared,
  type Placed,
  countBy,
  describe,
  endOf,
  isFailedStep,
  isInside,
  keyOf,
  mostAlike,
  statusOf,
} from './moments.ts';
import { NEVER, type Usual, isSlower, readUsual, speedOf } from './usual.ts';

/** A test that waits longer asks more often meanwhile. */
const WAITING_MS = 500;

const TELLS = { step: 'steps', request: 'requests', console: 'console' } as const;

/**
 * The passing executions that tell something. Most have no console messages, and those without a trace do not tell whether
 * there were none: the few that have some say nothing of what is usual.
 */
export const ableToTell = (what: keyof Execution['tells'], passing: readonly Execution[]): readonly Execution[] => {
  const able = passing.filter(({ tells }) => tells[what]);
  return what === 'console' && 2 * able.length < passing.length ? [] : able;
};

/** What an execution has otherwise than passing ones of the same test, the first first. */
export function* compareExecutions(
  subject: Execution,
  passing: readonly Execution[],
): Generator<undefined, ExecutionDifference[]> {
  const stop = subject.moments.find(isFailedStep) ?? null;
  const kinds: Compared[] = [];
  for (const kind of ['step', 'request', 'console'] as const) {
    const able = ableToTell(TELLS[kind], passing);
    if (!subject.tells[TELLS[kind]] || able.length === 0) continue;
    const own = subject.moments.filter((moment) => moment.kind === kind && !isAfter(moment, stop));
    kinds.push({ kind, subject, own, stop, passing: able, usualOf: yield* readUsual(kind, able) });
  }
  const speed = speedOf(kinds);
  const found: Placed[] = [];
  for (const kind of kinds) found.push(...(yield* compareMoments(kind, speed)));
  found.sort((a, b) => a.place - b.place);
  return [...compareSetups(subject, passing), ...found.map(({ difference }) => difference)];
}

function* compareMoments(compared: Compared, speed: number): Generator<undefined, Placed[]> {
  const { kind, own, stop, passing, usualOf } = compared;
  const ownTimes = countBy(own, keyOf);
  const seen = new Map<string, number>();
  const told = new Set<string>();
  const found: Placed[] = [];
  const tell = (moment: Moment, place: number, difference: Partial<ExecutionDifference>): void => {
    told.add(moment.key);
    found.push({ place, difference: { ...describe(moment, passing.length), ...difference } });
  };
  for (const moment of own) {
    yield;
    const { key, outcome } = moment;
    const signature = `${outcome} ${key}`;
    const times = (seen.get(signature) ?? 0) + 1;
    seen.set(signature, times);
    if (moment.isOuterFailure || told.has(key) || isInside(key, told)) continue;
    const usual = usualOf.get(key) ?? NEVER;
    const alike = (usual.times.get(outcome) ?? []).filter((count) => count >= times).length;
    if (alike <= (moment.isBad ? mostAlike(passing.length) : 0)) {
      const change = changeOf(moment, times, usual, passing.length);
      if (change === 'repeated' && (kind === 'console' || isWhileWaiting(moment, stop))) continue;
      tell(moment, change === 'failed' ? endOf(moment) : moment.atMs, {
        change,
        here: change === 'failed' ? moment.error : statusOf(moment),
        usual: change === 'changed' ? mostFrequentOutcome(usual) : null,
        alike,
        hereTimes: ownTimes.get(key)!,
        usualTimes: usual.most,
      });
      continue;
    }
    if (!isSlower(moment, usual, speed) || (moment.isOuter && hasInner(own, key))) continue;
    const place = kind === 'step' ? endOf(moment) : moment.atMs;
    tell(moment, place, { change: 'slower', hereMs: moment.durationMs, usualMs: usual.longest, alike: 0 });
  }
  return [...found, ...(yield* missingMoments(compared, told))];
}

const changeOf = (
  moment: Moment,
  times: number,
  usual: Readonly<Usual>,
  passing: number,
): ExecutionDifference['change'] => {
  if (isFailedStep(moment)) return 'failed';
  if (usual.times.has(moment.outcome)) return times > 1 ? 'repeated' : 'added';
  return 2 * usual.executions > passing ? 'changed' : 'added';
};

const mostFrequentOutcome = ({ times }: Readonly<Usual>): string =>
  [...times].reduce((best, each) => (each[1].length > best[1].length ? each : best))[0];

const hasInner = (own: readonly Moment[], key: string): boolean => own.some((each) => each.key.startsWith(`${key} › `));

/** What happens after the test has failed is cleaning up. */
const isAfter = (moment: Moment, stop: Moment | null): boolean =>
  stop !== null && moment !== stop && moment.atMs > endOf(stop);

const isWhileWaiting = (moment: Moment, stop: Moment | null): boolean =>
  stop !== null && moment.atMs > stop.atMs + WAITING_MS;
