import type { SubmittedStep } from '@assay/contract';
import { waitedFor } from '../behaviour.ts';
import type { Attempt } from '../behaviour.ts';
import { shuffled } from '../random.ts';
import type { Random } from '../random.ts';
import type { Domain } from '../vocabulary.ts';

interface Draft {
  title: string;
  category: 'hook' | 'fixture' | 'test.step' | 'pw:api' | 'expect';
  weight: number;
  error?: string;
  steps?: Draft[];
}

/** The steps of an attempt, which are those of its test; their durations add up to at most its own. */
export const stepsOf = (
  random: Random,
  lasting: Random,
  domain: Domain,
  page: string,
  attempt: Attempt,
  error: string | undefined,
): SubmittedStep[] => {
  const body = bodyOf(random, lasting, domain, page, attempt);
  const message = error?.split('\n\n')[0];
  if (message !== undefined) blameLast(body, message);
  const before: Draft =
    domain.framework === 'playwright'
      ? {
          title: 'Before Hooks',
          category: 'hook',
          weight: 0.1,
          steps: [{ title: 'page', category: 'fixture', weight: 1 }],
        }
      : { title: 'beforeEach', category: 'hook', weight: 0.15 };
  const after: Draft = {
    title: domain.framework === 'playwright' ? 'After Hooks' : 'afterEach',
    category: 'hook',
    weight: 0.04 + random.next() * 0.04,
  };
  const waitedMs = attempt.failure === null ? 0 : waitedFor(attempt.failure.kind, domain.framework);
  return timed([before, ...body, after], attempt.durationMs, waitedMs);
};

export const slowestOf = (steps: readonly SubmittedStep[]): { title: string; duration: number } | null => {
  let slowest: { title: string; duration: number } | null = null;
  for (const step of steps) {
    const candidate = step.steps?.length ? slowestOf(step.steps) : { title: step.title, duration: step.duration ?? 0 };
    if (candidate !== null && (slowest === null || candidate.duration > slowest.duration)) slowest = candidate;
  }
  return slowest;
};

const bodyOf = (random: Random, lasting: Random, domain: Domain, page: string, { failure }: Attempt): Draft[] => {
  const stopsEarly = failure?.kind === 'connection' || failure?.kind === 'interrupted';
  const chosen = new Set(shuffled(lasting, domain.phases).slice(0, lasting.integer(1, 2)));
  const phases = domain.phases.filter((phase) => chosen.has(phase));
  const drafts = phases.map((title, at) => {
    const draft: Draft = { title, category: 'test.step', weight: 0.3 + random.next() };
    if (domain.framework === 'playwright') {
      const opening = at === 0 ? [navigate(random, page)] : [];
      draft.steps = stopsEarly ? opening : actionsOf(random, lasting, domain, opening, at === phases.length - 1);
    }
    return draft;
  });
  return stopsEarly ? drafts.slice(0, 1) : drafts;
};

const navigate = (random: Random, page: string): Draft => ({
  title: `Navigate to "${page}"`,
  category: 'pw:api',
  weight: 2 + random.next() * 3,
});

const actionsOf = (
  random: Random,
  lasting: Random,
  domain: Domain,
  opening: readonly Draft[],
  last: boolean,
): Draft[] => {
  const steps = [...opening];
  const actions = lasting.integer(opening.length === 0 ? 1 : 0, 2);
  for (let count = 0; count < actions; count++) {
    const title = lasting.chance(0.6)
      ? `Click getByRole('button', { name: '${lasting.pick(domain.buttons)}' })`
      : `Fill "${random.integer(10, 999)}" getByLabel('${lasting.pick(domain.fields)}')`;
    steps.push({ title, category: 'pw:api', weight: 0.2 + random.next() });
  }
  if (last || steps.length === 0 || lasting.chance(0.3)) {
    const matcher = lasting.pick(['toBeVisible', 'toHaveText', 'toHaveURL', 'toHaveCount']);
    steps.push({ title: `Expect "${matcher}"`, category: 'expect', weight: 0.1 + random.next() * 0.8 });
  }
  return steps;
};

/** The last step failed, and so did those around it. */
const blameLast = (drafts: Draft[], message: string): void => {
  const last = drafts.at(-1);
  if (last === undefined) return;
  last.error = message;
  if (last.steps !== undefined) blameLast(last.steps, message);
};

const timed = (drafts: readonly Draft[], totalMs: number, waitedMs: number): SubmittedStep[] => {
  const weights = drafts.reduce((sum, { weight }) => sum + weight, 0);
  return drafts.map(({ title, category, weight, error, steps }) => {
    const waitedHereMs = error === undefined ? 0 : waitedMs;
    const duration = Math.floor(((totalMs - waitedMs) * weight) / weights) + waitedHereMs;
    const step: SubmittedStep = { title, duration, category };
    if (error !== undefined) step.error = error;
    if (steps !== undefined) step.steps = timed(steps, duration, waitedHereMs);
    return step;
  });
};
