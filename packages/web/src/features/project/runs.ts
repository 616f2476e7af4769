import type { Endpoints, Reply } from '@assay/contract';

export type ProjectDetails = Reply<Endpoints['getProject']>;
export type Run = ProjectDetails['testRuns'][number];

/** Newest first: by start, then by number. */
const isOlder = (a: Run, b: Run): boolean => {
  const byStart = Date.parse(a.startTime) - Date.parse(b.startTime);
  return byStart === 0 ? a.id < b.id : byStart < 0;
};

const CHANGEABLE = [
  'status',
  'startTime',
  'duration',
  'totalTests',
  'passedTests',
  'failedTests',
  'skippedTests',
  'flakyTests',
  'branch',
  'commit',
  'author',
  'commitMessage',
] as const satisfies (keyof Run)[];

const isSame = (a: Run, b: Run): boolean =>
  CHANGEABLE.every((field) => a[field] === b[field]) && a.shards?.missing.length === b.shards?.missing.length;

export interface RunPage {
  readonly runs: readonly Run[];
  /** Whether nothing newer than this page exists. */
  readonly first: boolean;
  /** Whether nothing older than this page exists. */
  readonly last: boolean;
}

/**
 * What is known after a page, newest first. The page is the truth for the span of time it covers; a run that did not
 * change stays the same object, so that its row is not drawn again.
 */
export const mergeRuns = (known: readonly Run[], { runs, first, last }: RunPage): readonly Run[] => {
  const newest = runs[0];
  const oldest = runs.at(-1);
  if (!newest || !oldest) return first ? [] : known;
  const before = new Map(known.map((run) => [run.id, run]));
  const page = runs.map((run) => {
    const old = before.get(run.id);
    return old && isSame(old, run) ? old : run;
  });
  const newer = first ? [] : known.filter((run) => isOlder(newest, run));
  // Between a first page that shares no run with what was known and the known ones others may have been stored.
  const mayMissSome = first && !last && known.length > 0 && !runs.some(({ id }) => before.has(id));
  const older = last || mayMissSome ? [] : known.filter((run) => isOlder(run, oldest));
  const merged = [...newer, ...page, ...older];
  return merged.length === known.length && merged.every((run, at) => run === known[at]) ? known : merged;
};

export interface Held {
  readonly shown: readonly Run[];
  /** Number of runs wait to be shown. */
  readonly waiting: number;
}

/**
 * The runs on screen with what is newly known of them. Older runs join at the end, where they move nothing; runs that
 * would move others wait.
 */
export const holdRuns = (taken: readonly Run[], latest: readonly Run[]): Held => {
  const end = taken.at(-1);
  if (taken === latest || !end) return { shown: latest, waiting: 0 };
  const now = new Map(latest.map((run) => [run.id, run]));
  const onScreen = new Set(taken.map(({ id }) => id));
  const shown = taken.map((run) => now.get(run.id) ?? run);
  let waiting = 0;
  for (const run of latest) {
    if (onScreen.has(run.id)) continue;
    if (isOlder(run, end)) shown.push(run);
    else waiting++;
  }
  return { shown, waiting };
};
