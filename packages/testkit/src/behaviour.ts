import type { Test } from './catalogue.ts';
import type { Failure, FailureKind } from './errors/failure.ts';
import { isHit } from './incidents.ts';
import type { Incident } from './incidents.ts';
import { logNormal } from './random.ts';
import type { Random } from './random.ts';
import { isOn, paceAt } from './traits.ts';
import type { Framework } from './vocabulary.ts';

export type CaseStatus = 'passed' | 'failed' | 'timedOut' | 'interrupted' | 'skipped';

export interface Attempt {
  readonly status: CaseStatus;
  readonly durationMs: number;
  readonly failure: Failure | null;
}

/** What a run does to every test in it. */
export interface Weather {
  readonly n: number;
  readonly machineFactor: number;
  readonly framework: Framework;
  readonly outage: string | null;
  readonly incidents: readonly Incident[];
  /** Retries rescue every flaky test. */
  readonly calm: boolean;
}

const RETRIES = 2;
const TIMEOUT_MS: Record<Framework, number> = { playwright: 30_000, junit: 10_000, vitest: 5_000 };

/** How long a failing step waits before it gives up. */
export const waitedFor = (kind: FailureKind, framework: Framework): number => {
  if (kind === 'timeout') return TIMEOUT_MS[framework] * 0.8;
  if (framework !== 'playwright') return 0;
  if (kind === 'unstable') return 10_000;
  return kind === 'assertion' || kind === 'missing' ? 5_000 : 0;
};

const SKIPPED: readonly Attempt[] = [{ status: 'skipped', durationMs: 0, failure: null }];

/** The attempts of a test in a run, the last of them decides. Never empty. */
export const attemptsOf = (test: Test, random: Random, weather: Weather): readonly Attempt[] => {
  const { traits } = test;
  if (traits.skipped !== null && isOn(traits.skipped, weather.n)) return SKIPPED;
  const cause = lastingFailure(test, weather);
  if (cause !== null) {
    return Array.from({ length: RETRIES + 1 }, () => failedAttempt(test, random, weather, cause));
  }
  const attempts = flakyAttempts(test, random, weather);
  if (attempts.length <= RETRIES) {
    attempts.push({ status: 'passed', durationMs: usualDuration(test, random, weather), failure: null });
  }
  return attempts;
};

export const skippedAttempts = (): readonly Attempt[] => SKIPPED;

export const interruptedAttempts = (test: Test, random: Random, weather: Weather): readonly Attempt[] => [
  {
    status: 'interrupted',
    durationMs: Math.round(usualDuration(test, random, weather) * random.next()),
    failure: { kind: 'interrupted', cause: 'interrupted' },
  },
];

const lastingFailure = (test: Test, { outage, incidents }: Weather): Failure | null => {
  if (outage !== null && test.traits.needsBackend) return { kind: 'connection', cause: outage };
  for (const incident of incidents) {
    if (isHit(test, incident)) return { kind: incident.kind, cause: incident.key };
  }
  return null;
};

/** The attempts that failed before one passed, or all that are allowed. */
const flakyAttempts = (test: Test, random: Random, weather: Weather): Attempt[] => {
  const attempts: Attempt[] = [];
  const { flaky } = test.traits;
  if (flaky === null || (flaky.times !== null && !isOn(flaky.times, weather.n))) return attempts;
  const failure: Failure = { kind: flaky.kind, cause: `flaky-${test.slot}` };
  const most = weather.calm ? RETRIES : RETRIES + 1;
  while (attempts.length < most && random.chance(attempts.length === 0 ? flaky.rate : 0.25)) {
    attempts.push(failedAttempt(test, random, weather, failure));
  }
  return attempts;
};

const failedAttempt = (test: Test, random: Random, weather: Weather, failure: Failure): Attempt => ({
  status: failure.kind === 'timeout' ? 'timedOut' : 'failed',
  durationMs: failedDuration(failure.kind, usualDuration(test, random, weather), random, weather.framework),
  failure,
});

const usualDuration = (test: Test, random: Random, { n, machineFactor }: Weather): number => {
  const { baseMs, pace, spread } = test.traits;
  return Math.max(1, Math.round(baseMs * paceAt(pace, n) * machineFactor * logNormal(random, spread)));
};

const failedDuration = (kind: FailureKind, usualMs: number, random: Random, framework: Framework): number => {
  if (kind === 'timeout') return TIMEOUT_MS[framework] + random.integer(8, 240);
  if (kind === 'connection') return random.integer(90, 1_400);
  return Math.max(1, Math.round(usualMs * 0.7)) + waitedFor(kind, framework);
};
