import { DIFFERENCE_KINDS, type DifferenceKind, type RunDifferences } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';
import { formatExact } from '../../format/time.ts';

export const CHOICES = [
  { value: 'previous', label: 'the run before on its branch' },
  { value: 'green', label: 'the last green run before' },
  { value: 'default', label: 'its base on the default branch' },
  { value: 'base', label: 'the last run on its base commit' },
] as const;

const IN_ENVIRONMENT = 'environment:';

export const environmentOption = (name: string): { value: string; label: string } => ({
  value: `${IN_ENVIRONMENT}${name}`,
  label: `the latest in ${name}`,
});

/** The name of an environment, or null where the address names something else. */
export const environmentIn = (value: string): string | null =>
  value.startsWith(IN_ENVIRONMENT) ? value.slice(IN_ENVIRONMENT.length) : null;

/** What is chosen, where it is none of what is offered. */
export const unofferedOption = (value: string): { value: string; label: string } => {
  const environment = environmentIn(value);
  return environment === null ? { value, label: `Run #${value}` } : environmentOption(environment);
};

interface OfferedRun {
  readonly id: number;
  readonly status: string;
  readonly branch: string | null;
  readonly startTime: string;
}

export const optionOf = ({ id, status, branch, startTime }: OfferedRun): { value: string; label: string } => ({
  value: String(id),
  label: [`#${id}`, branch, status, formatExact(new Date(startTime))].filter(Boolean).join(' · '),
});

/** Why there is no other run, and what to do. */
export const whyNone = (by: RunDifferences['otherBy'], environment: string | null): string => {
  switch (by) {
    case 'previous':
      return 'This is the first run of its branch. Choose its base on the default branch, or any other run.';
    case 'green':
      return 'No run of its branch before it passed. Choose another run.';
    case 'default':
      return 'This run is of the default branch itself, or the default branch had no run before it. Choose another run.';
    case 'base':
      return 'Its sender named no base commit, or no run on that commit has ended. Choose another run.';
    case 'environment':
      return `No run on its commit, and none of its branch before it, has ended in ${environment ?? 'that environment'}. Choose another run.`;
    case 'id':
      return 'Choose another run.';
  }
};

const KIND_WORDS: Record<DifferenceKind, (count: number) => string> = {
  newFailures: (count) => countOf(count, 'new failure'),
  fixed: (count) => `${formatCount(count)} fixed`,
  stillFailing: (count) => `${formatCount(count)} failing in both`,
  newlyFlaky: (count) => `${formatCount(count)} newly flaky`,
  slower: (count) => `${formatCount(count)} slower`,
  faster: (count) => `${formatCount(count)} faster`,
  added: (count) => `${formatCount(count)} only in this run`,
  removed: (count) => `${formatCount(count)} only in the other run`,
};

/** All differences in one line. */
export const inShort = ({ counts, sharedTests }: Pick<RunDifferences, 'counts' | 'sharedTests'>): string => {
  const told = DIFFERENCE_KINDS.filter((kind) => counts[kind] > 0).map((kind) => KIND_WORDS[kind](counts[kind]));
  return [`${countOf(sharedTests, 'test')} in both runs`, ...told].join(' · ');
};

/** What is said, and what not, of durations; null where there is nothing to say. */
export const aboutDurations = ({ noise, sharedTests }: RunDifferences): string | null => {
  if (sharedTests === 0) return null;
  if (noise.threshold === null) {
    return 'Nothing is said of durations: no test that passed in both runs has passed in 10 of the 30 runs before this one.';
  }
  const known = noise.knownShare === 1 ? '' : ` ${percent(1 - noise.knownShare)} of tests have too few to tell.`;
  return `Slower and faster compare a duration with what is usual for its test in the ${noise.runs} runs before this one: in runs where nothing has changed, at most 1 in 100 tests are called so.${known}`;
};

const percent = (share: number): string => (share < 0.01 ? 'Less than 1 %' : `${Math.round(100 * share)} %`);
