import type { Submission } from '@assay/contract';
import type { Plan } from './circumstances.ts';
import { createRandom } from './random.ts';
import { createTeller } from './telling.ts';
import { temperaments } from './temperament.ts';
import type { TemperamentName } from './temperament.ts';
import { domainNames, domains } from './vocabulary.ts';
import type { DomainName } from './vocabulary.ts';

export interface StoryOptions {
  readonly seed: number | string;
  readonly projectName: string;
  /** How many tests every run has; a few more come and go. 1 to 50,000. */
  readonly tests: number;
  readonly details?: 'none' | 'full';
  readonly firstRunAt: number;
  readonly intervalMs: number;
  /** Chosen by the seed when left out. */
  readonly domain?: DomainName;
  /** Every title exists once per browser; `tests` counts each. Chosen by the seed when left out. */
  readonly browsers?: readonly string[];
  readonly temperament?: TemperamentName;
}

/** One project over time. */
export interface Story {
  readonly projectName: string;
  /** Run 0, 1, 2, …, each computed on its own. */
  run(n: number): Submission;
}

export const BROWSERS: readonly string[] = ['chromium', 'firefox', 'webkit'];
const MOST_TESTS = 50_000;

export const createStory = (options: StoryOptions): Story => {
  const { projectName, firstRunAt, intervalMs } = options;
  const tell = createTeller(planOf(options));
  return {
    projectName,
    run: (n) => tell(n, firstRunAt + n * intervalMs),
  };
};

export const planOf = (options: Omit<StoryOptions, 'firstRunAt' | 'intervalMs'>): Plan => {
  const { seed, projectName, tests } = options;
  if (!Number.isInteger(tests) || tests < 1 || tests > MOST_TESTS) {
    throw new RangeError(`tests must be an integer from 1 to ${MOST_TESTS}`);
  }
  const root = createRandom(seed).fork(projectName);
  const choice = root.fork('project');
  const domain = domains[options.domain ?? choice.pick(domainNames)];
  const inBrowsers = choice.chance(0.5) && domain.framework === 'playwright' && tests >= 30;
  return {
    root,
    projectName,
    tests,
    domain,
    browsers: options.browsers ?? (inBrowsers ? BROWSERS : []),
    temperament: temperaments[options.temperament ?? 'usual'],
    details: options.details ?? 'none',
    script: null,
  };
};
