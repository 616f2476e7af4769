import type { Submission } from '@assay/contract';
import type { Script } from './circumstances.ts';
import { createRandom, shuffled } from './random.ts';
import { scheduleRuns } from './schedule.ts';
import type { Rhythm } from './schedule.ts';
import { BROWSERS, planOf } from './story.ts';
import type { Story } from './story.ts';
import { createTeller } from './telling.ts';
import type { TemperamentName } from './temperament.ts';
import type { DomainName } from './vocabulary.ts';

export interface WorldOptions {
  readonly seed: number | string;
  /** Every run is over by then. */
  readonly until: number;
  readonly days?: number;
  /** Multiplies the tests of every project. */
  readonly scale?: number;
  /** All that results tell, if nothing else is said; what happens is the same without. */
  readonly details?: 'none' | 'full';
}

export interface World {
  readonly projects: readonly Story[];
  /** The runs of all projects, oldest first. */
  submissions(): Generator<Submission>;
  /** The n-th run after `until`, if the world went on. */
  next(n: number, startTime: number): Submission;
}

interface Character {
  readonly projectName: string;
  readonly tests: number;
  readonly domain: DomainName;
  readonly temperament: TemperamentName;
  readonly rhythm: Rhythm;
  readonly browsers?: readonly string[];
  /** For how many runs it has been red at the end. */
  readonly redFor?: number;
  /** Its last run is the first one after something was mended. */
  readonly mendedNow?: boolean;
  /** The share of the time for which it has had no runs. */
  readonly quietFor?: number;
  /** How many of the runs after `until` are its own. */
  readonly future: number;
}

const work = (perWeek: number): Rhythm => ({ kind: 'working-hours', perWeek });

const CAST: readonly Character[] = [
  {
    projectName: 'storefront',
    tests: 210,
    domain: 'shop',
    temperament: 'usual',
    rhythm: work(14),
    browsers: BROWSERS,
    redFor: 1,
    future: 3,
  },
  {
    projectName: 'back-office',
    tests: 120,
    domain: 'back-office',
    temperament: 'usual',
    rhythm: work(26),
    redFor: 5,
    future: 4,
  },
  {
    projectName: 'mobile-api',
    tests: 160,
    domain: 'mobile-api',
    temperament: 'flaky',
    rhythm: work(17),
    mendedNow: true,
    future: 3,
  },
  {
    projectName: 'design-system',
    tests: 90,
    domain: 'design-system',
    temperament: 'spotless',
    rhythm: work(21),
    future: 2,
  },
  {
    projectName: 'data-pipeline',
    tests: 600,
    domain: 'data-pipeline',
    temperament: 'usual',
    rhythm: { kind: 'nightly' },
    future: 1,
  },
  {
    projectName: 'legacy-portal',
    tests: 40,
    domain: 'shop',
    temperament: 'usual',
    rhythm: work(16),
    quietFor: 0.4,
    future: 0,
  },
];

const DAY_MS = 86_400_000;
/** Longer than any run takes, so that all runs are over by the end. */
const LAST_START_MS = 20 * 60_000;
const RED_STAYS_RUNS = 10;
const MENDED_AFTER_RUNS = 3;

/** The world ends with one project red for a while, one newly red, one just mended and the others at rest, as far as they can be. */
const scriptOf = ({ redFor, mendedNow }: Character, runs: number): Script => {
  const incident = endingOf(runs, redFor, mendedNow);
  if (incident === null) return { calm: { from: runs - 2, to: runs + 1 }, incident };
  return { calm: { from: incident.from - 8, to: incident.to + 8 }, incident };
};

const endingOf = (runs: number, redFor: number | undefined, mendedNow = false): Script['incident'] => {
  if (redFor !== undefined) return { from: Math.max(0, runs - redFor), to: runs + RED_STAYS_RUNS };
  return mendedNow && runs > MENDED_AFTER_RUNS ? { from: runs - 1 - MENDED_AFTER_RUNS, to: runs - 1 } : null;
};

export const createWorld = ({ seed, until, days = 60, scale = 1, details = 'full' }: WorldOptions): World => {
  const random = createRandom(seed).fork('world');
  const from = until - days * DAY_MS;

  const lives = CAST.map((character) => {
    const last = until - LAST_START_MS;
    const end = character.quietFor === undefined ? last : until - character.quietFor * days * DAY_MS;
    const startTimes = scheduleRuns(random.fork(character.projectName), character.rhythm, from, end);
    if (character.redFor !== undefined) startTimes.push(last);
    const tests = Math.min(50_000, Math.max(4, Math.round(character.tests * scale)));
    const tell = createTeller({
      ...planOf({ ...character, browsers: character.browsers ?? [], seed, tests, details }),
      script: scriptOf(character, startTimes.length),
    });
    return { projectName: character.projectName, startTimes, tell };
  });

  const projects = lives.map(({ projectName, startTimes, tell }): Story => ({
    projectName,
    run: (n) => tell(n, startTimes[n] ?? until + (n - startTimes.length + 1) * (DAY_MS / 4)),
  }));

  const cycle = shuffled(
    random.fork('future'),
    CAST.flatMap(({ future }, project) => Array.from({ length: future }, () => project)),
  );

  return {
    projects,
    *submissions() {
      const runs = lives.flatMap(({ startTimes }, project) =>
        startTimes.map((startTime, n) => ({ startTime, project, n })),
      );
      runs.sort((a, b) => a.startTime - b.startTime || a.project - b.project);
      for (const { project, n } of runs) yield projects[project]!.run(n);
    },
    next: (n, startTime) => {
      if (!Number.isSafeInteger(n) || n < 0) throw new RangeError('What comes next is numbered 0, 1, 2, …');
      const place = n % cycle.length;
      const project = cycle[place]!;
      const perCycle = cycle.filter((other) => other === project).length;
      const before = cycle.slice(0, place).filter((other) => other === project).length;
      const { tell, startTimes } = lives[project]!;
      return tell(startTimes.length + Math.floor(n / cycle.length) * perCycle + before, startTime);
    },
  };
};
