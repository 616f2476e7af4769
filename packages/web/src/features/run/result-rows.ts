import { errorCause, errorPlace } from '@assay/contract';
import type { Look } from '../status/outcome.ts';
import type { Result } from './result-fields.ts';

export const VIEWS = ['list', 'file', 'cause'] as const;
export type View = (typeof VIEWS)[number];
export const SORTS = ['status', 'duration', 'title', 'file'] as const;
export type Sort = (typeof SORTS)[number];

export interface LookCounts {
  readonly failed: number;
  readonly flaky: number;
  readonly passed: number;
  readonly skipped: number;
  readonly total: number;
}

export interface GroupRow {
  readonly kind: 'group';
  readonly key: string;
  readonly title: string;
  readonly open: boolean;
  readonly counts: LookCounts;
  readonly durationMs: number;
  /** Of results that failed for one cause. */
  readonly cause: CauseOfGroup | null;
}

export interface CauseOfGroup {
  /** How many of them are new here. */
  readonly newTests: number;
  /** The run in which the first of them began to fail; null when nobody knows. */
  readonly sinceRun: number | null;
  /** Where in the code it came up first. */
  readonly place: string | null;
}

export interface ResultRow {
  readonly kind: 'result';
  readonly key: number;
  readonly result: Result;
}

export type ListRow = GroupRow | ResultRow;

export const WITHOUT_ERROR = 'No error';

/** Failures first, then what deserves a look; within a rank the order of the run stays. */
const RANKS: Record<Look, number> = { failed: 0, flaky: 1, other: 2, running: 2, passed: 3, skipped: 4 };

const COMPARE: Record<Sort, (a: Result, b: Result) => number> = {
  status: (a, b) => RANKS[a.look] - RANKS[b.look],
  duration: (a, b) => (b.case.duration ?? -1) - (a.case.duration ?? -1),
  title: (a, b) => compareText(a.case.title, b.case.title),
  file: (a, b) => compareText(a.case.filePath, b.case.filePath) || (a.case.line ?? 0) - (b.case.line ?? 0),
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const sortResults = (results: readonly Result[], sort: Sort): Result[] => [...results].sort(COMPARE[sort]);

const countLooks = (results: readonly Result[]): LookCounts => {
  const counts = { failed: 0, flaky: 0, passed: 0, skipped: 0, total: results.length };
  for (const { look } of results) {
    if (look === 'failed' || look === 'flaky' || look === 'passed' || look === 'skipped') counts[look]++;
  }
  return counts;
};

/**
 * The rows of a list of sorted results. `toggled` has the keys of groups that are not as they start: open where
 * something failed, closed elsewhere, unless one group is all there is.
 */
export const buildRows = (
  sorted: readonly Result[],
  view: View,
  sort: Sort,
  toggled: ReadonlySet<string>,
): ListRow[] => {
  if (view === 'list') return sorted.map(rowOf);
  const groups = [...groupResults(sorted, view)].map(([title, results]) => ({
    title,
    results,
    counts: countLooks(results),
    durationMs: results.reduce((sum, { case: { duration } }) => sum + (duration ?? 0), 0),
  }));
  groups.sort((a, b) => {
    if (view === 'cause') return last(a.title) - last(b.title) || b.counts.total - a.counts.total;
    if (sort === 'duration') return b.durationMs - a.durationMs;
    if (sort === 'status') return b.counts.failed - a.counts.failed || b.counts.flaky - a.counts.flaky;
    return compareText(a.title, b.title);
  });
  return groups.flatMap(({ title, results, counts, durationMs }): ListRow[] => {
    const key = `${view}:${title}`;
    const open = (counts.failed > 0 || groups.length === 1) !== toggled.has(key);
    const cause = view === 'cause' && title !== WITHOUT_ERROR ? causeOf(results) : null;
    const group: GroupRow = { kind: 'group', key, title, open, counts, durationMs, cause };
    return open ? [group, ...results.map(rowOf)] : [group];
  });
};

const causeOf = (results: readonly Result[]): CauseOfGroup => {
  const failures = results.flatMap(({ failure }) => failure ?? []);
  const oldest = failures.reduce<(typeof failures)[number] | null>(
    (first, failure) => (first && first.failingSince.startTime <= failure.failingSince.startTime ? first : failure),
    null,
  );
  return {
    newTests: failures.filter(({ isNew }) => isNew).length,
    sinceRun: oldest?.failingSince.id ?? null,
    place: errorPlace(results[0]!.case.error ?? ''),
  };
};

/** Whether one cause holds most of several failures: then they are best read by cause. */
export const hasMainCause = (results: readonly Result[]): boolean => {
  const failed = results.filter(({ look }) => look === 'failed');
  const groups = [...groupResults(failed, 'cause')].filter(([title]) => title !== WITHOUT_ERROR);
  const most = Math.max(0, ...groups.map(([, own]) => own.length));
  return most > 2 && most * 2 > failed.length;
};

const rowOf = (result: Result): ResultRow => ({ kind: 'result', key: result.case.id, result });

const last = (title: string): number => (title === WITHOUT_ERROR ? 1 : 0);

const groupResults = (results: readonly Result[], view: 'file' | 'cause'): Map<string, Result[]> => {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const { error, filePath } = result.case;
    const title = view === 'file' ? filePath : error ? errorCause(error) || WITHOUT_ERROR : WITHOUT_ERROR;
    const group = groups.get(title);
    if (group) group.push(result);
    else groups.set(title, [result]);
  }
  return groups;
};

export interface FileStatus {
  readonly file: string;
  readonly counts: LookCounts;
}

/** Files with the most failures first, then the flaky ones, then by name. */
export const statusByFile = (results: readonly Result[]): FileStatus[] =>
  [...groupResults(results, 'file')]
    .map(([file, inFile]) => ({ file, counts: countLooks(inFile) }))
    .sort(
      (a, b) => b.counts.failed - a.counts.failed || b.counts.flaky - a.counts.flaky || compareText(a.file, b.file),
    );
