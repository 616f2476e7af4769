import type { SubmittedCase } from '@assay/contract';
import type { Attempt } from './behaviour.ts';
import type { Test } from './catalogue.ts';
import { consoleOf } from './details/console.ts';
import { requestsOf } from './details/requests.ts';
import { slowestOf, stepsOf } from './details/steps.ts';
import { vitalsOf } from './details/vitals.ts';
import type { Random } from './random.ts';
import { fillPath } from './tokens.ts';
import type { Domain } from './vocabulary.ts';

type Details = Pick<
  SubmittedCase,
  | 'annotations'
  | 'steps'
  | 'slowestStep'
  | 'slowestStepDuration'
  | 'networkRequests'
  | 'webVitals'
  | 'console'
  | 'attempts'
>;

interface Happening {
  readonly domain: Domain;
  readonly repository: string;
  readonly test: Test;
  readonly attempts: readonly Attempt[];
  readonly errors: readonly (string | undefined)[];
  readonly startTime: number;
}

/** Until the next attempt or test of the same worker begins. */
export const BETWEEN_ATTEMPTS_MS = 400;

/** What a full report adds to a case: the last attempt in detail, and all of them when there were several. */
export const detailsOf = (random: Random, happening: Happening): Details => {
  const { domain, test, attempts, errors } = happening;
  const details: Details = {};
  const annotations = annotationsOf(happening);
  if (annotations.length > 0) details.annotations = annotations;
  const last = attempts.at(-1)!;
  if (last.status === 'skipped') return details;

  const startTimes = startTimesOf(happening);
  const page = fillPath(random, test.random.fork('page').pick(domain.pages));
  details.steps = stepsOf(random.fork('steps'), test.random.fork('steps'), domain, page, last, errors.at(-1));
  const slowest = slowestOf(details.steps);
  if (slowest !== null) {
    details.slowestStep = slowest.title;
    details.slowestStepDuration = slowest.duration;
  }
  details.networkRequests = requestsOf(
    random.fork('requests'),
    test.random.fork('requests'),
    domain,
    page,
    last,
    startTimes.at(-1)!,
  );
  const measured = test.slot % 3 !== 0 && last.failure?.kind !== 'connection';
  if (domain.framework === 'playwright' && measured) {
    const pageFactor = 0.6 + (test.file.rotation % 100) / 80;
    details.webVitals = vitalsOf(random.fork('vitals'), domain.host + page, pageFactor);
  }
  if (domain.framework === 'playwright') {
    const messages = consoleOf(random.fork('console'), domain.host, last, startTimes.at(-1)!);
    if (messages.length > 0) details.console = messages;
  }
  if (attempts.length > 1 || last.failure !== null) {
    details.attempts = attempts.map(({ status, durationMs }, retry) => ({
      retry,
      status,
      duration: durationMs,
      startTime: new Date(startTimes[retry]!).toISOString(),
      ...(errors[retry] === undefined ? {} : { error: errors[retry] }),
    }));
  }
  return details;
};

const startTimesOf = ({ attempts, startTime }: Happening): number[] => {
  const startTimes: number[] = [];
  let at = startTime;
  for (const { durationMs } of attempts) {
    startTimes.push(at);
    at += durationMs + BETWEEN_ATTEMPTS_MS;
  }
  return startTimes;
};

const annotationsOf = ({ repository, test, attempts }: Happening): { type: string; description?: string }[] => {
  const lasting = test.random.fork('annotations');
  const issue = `https://github.com/acme/${repository}/issues/${lasting.integer(80, 4_000)}`;
  const annotations: { type: string; description?: string }[] = [];
  if (attempts.at(-1)!.status === 'skipped') {
    annotations.push(lasting.chance(0.5) ? { type: 'fixme', description: issue } : { type: 'skip' });
  } else if (lasting.chance(0.06)) {
    annotations.push({ type: 'issue', description: issue });
  }
  if (test.traits.tags.includes('@slow')) annotations.push({ type: 'slow' });
  return annotations;
};
