import type { Submission } from '@assay/contract';
import { type Story, createRandom, createStory } from '@assay/testkit';

export type WayIn = 'submit' | 'live' | 'upload';

export interface LifeRun {
  readonly wayIn: WayIn;
  readonly submission: Submission;
  readonly results: number;
}

/** The runs of many projects as they come in over time; no two have the same bytes. */
export interface Life {
  next(): LifeRun;
}

const PROJECTS = 50;
const MOST_TESTS = 8_000;
/** Few projects are large and most are small: the mean is about 1,000 tests. */
const SIZE_EXPONENT = -0.8;
/** Details are many times the size of a result; large suites seldom send them. */
const MOST_TESTS_WITH_DETAILS = 500;
const HOUR_MS = 3_600_000;

export const createLife = (name: string): Life => {
  const random = createRandom(name);
  const stories = Array.from({ length: PROJECTS }, (_, index) => ({ story: storyOf(name, index), next: 0 }));
  return {
    next() {
      const told = random.pick(stories);
      const submission = told.story.run(told.next++);
      const results = submission.testCases!.length;
      return { wayIn: random.pick<WayIn>(WAYS_IN), submission, results };
    },
  };
};

const WAYS_IN: readonly WayIn[] = [
  'submit',
  'submit',
  'submit',
  'submit',
  'submit',
  'submit',
  'submit',
  'submit',
  'live',
  'upload',
];

const storyOf = (name: string, index: number): Story => {
  const tests = Math.max(10, Math.round(MOST_TESTS * (index + 1) ** SIZE_EXPONENT));
  const projectName = `${name}-${index}`;
  return createStory({
    seed: projectName,
    projectName,
    tests,
    details: tests <= MOST_TESTS_WITH_DETAILS && index % 4 === 0 ? 'full' : 'none',
    firstRunAt: Date.UTC(2026, 0, 1),
    intervalMs: HOUR_MS,
  });
};

export const bodyOf = ({ submission }: LifeRun): Buffer => Buffer.from(JSON.stringify(submission));
