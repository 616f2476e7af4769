import { type FlakyEvidence, MOST_SINCE_RUNS, type TestSince } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { type Step, followTest } from '../../statistics/first-bad.ts';
import { inTurns } from '../../turns.ts';
import { type Links, readKnownHistory } from '../commits/known-history.ts';
import { getProjectRow } from '../projects/queries.ts';
import { presentRunRef } from '../runs/run-refs.ts';
import { type OtherTests, createOtherTests, findDurationChanges } from './duration-changes.ts';
import { testNotFound } from './get-test.ts';
import { type PastRun, countsOf, leaveOutages, presentRun, readPastRuns } from './past-runs.ts';
import { type Place, placeRuns } from './place-runs.ts';
import { readSinceCommits, rounded, startPresenting } from './present-since.ts';

type StartLargeRead = (rows: number) => Promise<void>;

/** What is read once for all tests of a project that are asked about. */
export interface SharedReads {
  readonly links: LinkReader;
  readonly others: OtherTests;
}

export const shareReads = ({ queries, segments }: Context, startLargeRead: StartLargeRead): SharedReads => ({
  links: createLinkReader(queries),
  others: createOtherTests(segments, startLargeRead),
});

/** Since when a test is broken, flaky or slower, on one branch. */
export const findTestSince = async (
  context: Context,
  id: number,
  branch: string | undefined,
  shared: SharedReads,
): Promise<TestSince> => {
  const { queries } = context;
  const test = await queries.selectFrom('tests').select('project_id').where('id', '=', id).executeTakeFirst();
  if (!test) throw testNotFound(id);
  const project = await getProjectRow(queries, test.project_id);
  return judgeTest(
    queries,
    { id, projectId: project.id, ...(await readPastRuns(context, project, id, branch)) },
    shared,
  );
};

interface SeenTest {
  readonly id: number;
  readonly projectId: number;
  readonly branch: string | null;
  /** The oldest first. */
  readonly runs: readonly PastRun[];
}

export const judgeTest = async (
  queries: Queries,
  { id, projectId, branch, runs: all }: SeenTest,
  { links, others }: SharedReads,
): Promise<TestSince> => {
  const { runs, outages } = leaveOutages(all);
  const placed = placeRuns(runs, await links(projectId, runs));
  const { places } = placed;
  const steps = places.map(stepOf);
  const course = await inTurns(followTest(steps));
  const timed = places.flatMap((place, nth) =>
    place.runs.flatMap(({ run, outcome, durationMs }) =>
      outcome === 'passed' && durationMs !== null && durationMs > 0
        ? [{ run, log: Math.log(durationMs), place: nth }]
        : [],
    ),
  );
  const slower = await findDurationChanges(id, timed, others);
  const present = startPresenting(places, (hashes) => readSinceCommits(queries, projectId, hashes));
  return {
    branch,
    results: runs.length - placed.unplaced,
    orderedBy: placed.by,
    unplaced: placed.unplaced,
    outages: outages.map(presentRunRef),
    now: {
      fine: rounded(course.fine),
      flaky: rounded(course.flaky.probability),
      broken: rounded(course.broken.probability),
    },
    broken: await present.change(steps, course, 'broken'),
    flaky: await present.change(steps, course, 'flaky'),
    durations: await Promise.all(
      slower.changes.map((change) =>
        present.duration(
          change,
          change.places.map(({ at, probability }) => ({
            from: slower.places[at - 1] ?? -1,
            to: slower.places[at]!,
            probability,
          })),
        ),
      ),
    ),
    durationsSeen: slower.places.length,
    evidence: evidenceOf(places),
  };
};

/** Clocks may be wrong: what the latest run does not have behind it may have that behind itself. */
const MOST_STARTS = 3;

type LinkReader = (projectId: number, runs: readonly PastRun[]) => Promise<Links>;

/** Of one project, however many tests are asked about: tests of the same runs need the same history. */
const createLinkReader = (queries: Queries): LinkReader => {
  const links = new Map<string, readonly string[]>();
  const tried = new Set<string>();
  return async (projectId, runs) => {
    const wanted = new Set(runs.flatMap(({ commit }) => commit ?? []));
    for (let start = 0; start < MOST_STARTS; start++) {
      const from = [...wanted].findLast((commit) => !links.has(commit) && !tried.has(commit));
      if (from === undefined) break;
      tried.add(from);
      const missing = new Set([...wanted].filter((commit) => !links.has(commit)));
      for (const [hash, parents] of await readKnownHistory(queries, projectId, from, missing)) links.set(hash, parents);
    }
    return links;
  };
};

const stepOf = ({ runs, commits }: Place<PastRun>): Step => ({
  ...countsOf(runs),
  commits: commits === null ? 1 : commits.length,
});

const evidenceOf = (places: readonly Place<PastRun>[]): FlakyEvidence => {
  const runs = places.flatMap((place) => place.runs);
  const retried = runs.filter(({ outcome }) => outcome === 'flaky').toReversed();
  const mixed = places.toReversed().flatMap((place) => {
    const failed = place.runs.findLast(({ outcome }) => outcome === 'failed');
    const passed = place.runs.findLast(({ outcome }) => outcome !== 'failed');
    return failed && passed ? [{ failed: presentRun(failed), passed: presentRun(passed) }] : [];
  });
  const isAll = (place: Place<PastRun> | undefined, outcome: PastRun['outcome']): boolean =>
    place !== undefined && place.runs.every((run) => run.outcome === outcome);
  const alone = places
    .flatMap((place, at) =>
      isAll(place, 'failed') && isAll(places[at - 1], 'passed') && isAll(places[at + 1], 'passed')
        ? [place.runs.at(-1)!]
        : [],
    )
    .toReversed();
  return {
    retriedCount: retried.length,
    retried: retried.slice(0, MOST_SINCE_RUNS).map(presentRun),
    mixedCount: mixed.length,
    mixed: mixed.slice(0, MOST_SINCE_RUNS),
    aloneCount: alone.length,
    alone: alone.slice(0, MOST_SINCE_RUNS).map(presentRun),
  };
};
