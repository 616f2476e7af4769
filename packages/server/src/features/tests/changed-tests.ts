import {
  CHANGED_WITHIN_DAYS,
  type ChangedTests,
  MOST_CHANGED_TESTS,
  MOST_CHANGE_RUNS,
  type NewlyFlakyTest,
  type NewlySlowerTest,
  type SincePlace,
  type TestSince,
  parseTime,
} from '@assay/contract';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import { SURE } from '../../statistics/first-bad.ts';
import { nextTurn } from '../../turns.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import type { RecentRun } from '../runs/run-refs.ts';
import { listWindowRuns, resultsIn } from '../runs/window.ts';
import { findCandidates } from './change-candidates.ts';
import { collectPastRuns } from './past-runs.ts';
import { findTestSince, judgeTest, shareReads } from './test-since.ts';

/** Tests of each kind that are judged: the clearest candidates. */
const MOST_JUDGED = 20;
/** All that are looked at are in memory at once. */
const MOST_RESULTS = 1_000_000;
/** Enough to tell where a change is. */
const MOST_COMMITS = 5;
const MOST_PROJECTS = 200;
const DAY_MS = 24 * 3_600_000;

/**
 * Tests that lately became flaky or slower. Candidates are found for little among all tests and then judged as the page of
 * a test does it, so that both say the same. The answer is kept until another run of the branch has finished, or more is
 * known of the history of the code: most writes to a project change nothing of it.
 */
export const createChangedTests = (context: Context) => {
  const { queries } = context;
  const known = new LRUCache<number, { readonly of: string; readonly answer: ChangedTests }>({
    max: MOST_PROJECTS,
  });
  return async (projectId: number, startLargeRead: StartLargeRead): Promise<ChangedTests> => {
    const branch = await findDefaultBranch(queries, projectId);
    const window = { branch: branch ?? undefined, sinceMs: undefined, untilMs: undefined };
    const latest = await listWindowRuns(queries, projectId, window, undefined, MOST_CHANGE_RUNS);
    const finished = latest.filter(({ status }) => status !== 'running');
    const runs = finished.slice(0, countWithin(finished)).reverse();
    const { commits } = await queries
      .selectFrom('commits')
      .select(({ fn }) => fn.countAll<number>().as('commits'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow();
    const of = `${commits} ${branch} ${runs.map(({ id, version }) => `${id}.${version}`).join(' ')}`;
    const found = known.get(projectId);
    if (found?.of === of) return found.answer;
    await startLargeRead(resultsIn(runs));
    const isAll = latest.length < MOST_CHANGE_RUNS && runs.length === finished.length;
    // Not shared while it is looked for: it ends with the request that began it.
    const answer = await findChanged(context, { projectId, branch, runs, isAll }, startLargeRead);
    known.set(projectId, { of, answer });
    return answer;
  };
};

type StartLargeRead = (rows: number) => Promise<void>;

interface Line {
  readonly projectId: number;
  readonly branch: string | null;
  /** The oldest first. */
  readonly runs: readonly RecentRun[];
  /** Whether these are all that the branch has. */
  readonly isAll: boolean;
}

const findChanged = async (
  context: Context,
  { projectId, branch, runs, isAll }: Line,
  startLargeRead: StartLargeRead,
): Promise<ChangedTests> => {
  const { queries, segments, tests } = context;
  const candidates = await findCandidates(segments, runs);
  const judged = { flaky: candidates.flaky.slice(0, MOST_JUDGED), slower: candidates.slower.slice(0, MOST_JUDGED) };
  const ids = [...judged.flaky, ...judged.slower];
  const names = await tests.find(ids);
  const past = await collectPastRuns(segments, ids.length > 0 ? runs : [], ids);
  const shared = shareReads(context, startLargeRead);
  const newsSince = (runs.at(-1)?.start_time ?? 0) - CHANGED_WITHIN_DAYS * DAY_MS;

  const judge = async <T>(some: readonly number[], find: (test: Named, since: TestSince) => Since<T> | null) => {
    const found: Since<T>[] = [];
    for (const id of some) {
      await nextTurn();
      const name = names.get(id);
      if (!name) continue;
      const named = { id, title: name.title, filePath: name.file, browser: name.browser };
      const ran = past.get(id)!;
      let test = find(named, await judgeTest(queries, { id, projectId, branch, runs: ran }, shared));
      // The page of a test that not all runs ran looks at older ones too.
      if (test && !isAll && ran.length < runs.length) {
        test = find(named, await findTestSince(context, id, branch ?? undefined, shared));
      }
      if (test && test.fromMs >= newsSince) found.push(test);
    }
    return found.sort((a, b) => b.fromMs - a.fromMs).map(({ test }) => test);
  };

  const flaky = await judge(judged.flaky, newlyFlaky);
  const slower = await judge(judged.slower, newlySlower);
  return {
    branch,
    runs: runs.length,
    flaky: flaky.slice(0, MOST_CHANGED_TESTS),
    slower: slower.slice(0, MOST_CHANGED_TESTS),
    flakyCount: flaky.length,
    slowerCount: slower.length,
    unjudged: candidates.flaky.length - judged.flaky.length + candidates.slower.length - judged.slower.length,
  };
};

const countWithin = (newestFirst: readonly RecentRun[]): number => {
  let results = 0;
  const beyond = newestFirst.findIndex(({ result_count }) => (results += result_count) > MOST_RESULTS);
  return beyond < 0 ? newestFirst.length : Math.max(1, beyond);
};

type Named = Pick<NewlyFlakyTest, 'id' | 'title' | 'filePath' | 'browser'>;

interface Since<T> {
  readonly fromMs: number;
  readonly test: T;
}

/** For sure, and not from the first result on. */
const newlyFlaky = (named: Named, { flaky }: TestSince): Since<NewlyFlakyTest> | null => {
  const [place] = flaky?.places ?? [];
  if (!flaky?.sure || !place || flaky.fromStart > 1 - SURE) return null;
  const { probability, firstBad, lastGood, placeCount, commitCount, before, since } = flaky;
  const told = { probability, firstBad, lastGood, placeCount, commitCount, before, since };
  return { fromMs: parseTime(firstBad.startTime)!, test: { ...named, ...told, place: shortened(place) } };
};

/** What became faster again by less than this is still slower. */
const LEAST_FACTOR = 1.15;

/** The latest rise that was not taken back. */
const newlySlower = (named: Named, { durations }: TestSince): Since<NewlySlowerTest> | null => {
  const rise = durations.findLast(({ factor }) => factor > 1);
  if (!rise || durations.at(-1)!.afterMs < LEAST_FACTOR * rise.beforeMs) return null;
  const { places, ...told } = rise;
  return { fromMs: parseTime(told.firstAfter.startTime)!, test: { ...named, ...told, place: shortened(places[0]!) } };
};

const shortened = (place: SincePlace): SincePlace => ({ ...place, commits: place.commits.slice(0, MOST_COMMITS) });
