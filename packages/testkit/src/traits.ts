import { logNormal } from './random.ts';
import type { Random } from './random.ts';
import type { Temperament } from './temperament.ts';
import type { Framework } from './vocabulary.ts';

/** What is lasting about one test. Spans are counted in runs. */
export interface Traits {
  readonly baseMs: number;
  readonly spread: number;
  readonly pace: Pace;
  readonly flaky: Flakiness | null;
  readonly skipped: Cycle | null;
  readonly needsBackend: boolean;
  readonly tags: readonly string[];
}

export type Pace =
  | { readonly kind: 'steady' }
  | { readonly kind: 'slowing'; readonly cycle: Cycle; readonly growth: number }
  | { readonly kind: 'sped-up'; readonly at: number; readonly factor: number };

/** On for `on` runs of every `period`. */
export interface Cycle {
  readonly period: number;
  readonly phase: number;
  readonly on: number;
}

export interface Flakiness {
  readonly rate: number;
  readonly times: Cycle | null;
  readonly kind: 'unstable' | 'assertion' | 'timeout';
}

export const isOn = ({ period, phase, on }: Cycle, n: number): boolean => (n + phase) % period < on;

const MEDIAN_MS: Record<Framework, number> = { playwright: 2_600, junit: 420, vitest: 90 };
const SLOW_SHARE = 0.05;

/** `shared` is the same for one title in every browser, `own` differs. */
export const traitsOf = (shared: Random, own: Random, framework: Framework, temperament: Temperament): Traits => {
  const slow = shared.chance(SLOW_SHARE);
  const size = logNormal(shared, 0.6) * (slow ? shared.integer(4, 9) : 1);
  return {
    baseMs: Math.max(2, MEDIAN_MS[framework] * size * logNormal(own, 0.08)),
    spread: 0.05 + own.next() * 0.17,
    pace: paceOf(shared),
    tags: tagsOf(shared, slow),
    flaky: own.chance(temperament.flakyShare) ? flakinessOf(own, temperament.worstFlakyRate) : null,
    skipped: own.chance(temperament.skippedShare) ? cycleOf(own, 40, 140, 0.7) : null,
    needsBackend: own.chance(1 / 3),
  };
};

const paceOf = (random: Random): Pace => {
  const draw = random.next();
  if (draw < 0.03) {
    return { kind: 'slowing', cycle: cycleOf(random, 50, 110, 1), growth: 0.012 + random.next() * 0.02 };
  }
  if (draw < 0.06) {
    return { kind: 'sped-up', at: random.integer(12, 70), factor: 0.25 + random.next() * 0.3 };
  }
  return { kind: 'steady' };
};

const flakinessOf = (random: Random, worstRate: number): Flakiness => {
  const weight = random.next();
  return {
    rate: 0.02 + (worstRate - 0.02) * weight * weight,
    times: random.chance(0.4) ? cycleOf(random, 30, 90, 0.5) : null,
    kind: random.pick(['unstable', 'unstable', 'assertion', 'timeout'] as const),
  };
};

const cycleOf = (random: Random, shortest: number, longest: number, share: number): Cycle => {
  const period = random.integer(shortest, longest);
  return { period, phase: random.integer(0, period - 1), on: Math.ceil(period * share) };
};

const tagsOf = (random: Random, slow: boolean): string[] => {
  const tags: string[] = [];
  if (random.chance(0.12)) tags.push('@smoke');
  if (random.chance(0.08)) tags.push('@critical');
  if (random.chance(0.15)) tags.push('@regression');
  if (random.chance(0.05)) tags.push(random.pick(['@a11y', '@visual', '@nightly']));
  if (slow) tags.push('@slow');
  return tags;
};

/** How much longer or shorter than its base a test takes at run n. */
export const paceAt = (pace: Pace, n: number): number => {
  switch (pace.kind) {
    case 'steady':
      return 1;
    case 'slowing':
      return 1 + ((n + pace.cycle.phase) % pace.cycle.period) * pace.growth;
    case 'sped-up':
      return n < pace.at ? 1 : pace.factor;
  }
};
