import {
  type DurationChange,
  MOST_SINCE_COMMITS,
  MOST_SINCE_PLACES,
  type SinceCommit,
  type SincePlace,
  type TestChange,
  formatTime,
} from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { Change } from '../../statistics/duration-changes.ts';
import { type Course, SURE, type Step, isSure, likeliest, likeliestStart } from '../../statistics/first-bad.ts';
import { type PastRun, countsOf, presentRun } from './past-runs.ts';
import type { Place } from './place-runs.ts';

/** What is less likely is not told. */
const LEAST_PROBABILITY = 0.5;
/** Results before and after the beginning that are shown. */
const [SPEAKING_BEFORE, SPEAKING_SINCE] = [5, 8];

const DIGITS = 4;

export const rounded = (share: number): number => Number(Math.min(1, Math.max(0, share)).toPrecision(DIGITS));

type ReadCommits = (hashes: readonly string[]) => Promise<ReadonlyMap<string, SinceCommit>>;

/** After one place of the history, or before the first, and not after another. */
interface Between {
  readonly from: number;
  readonly to: number;
  readonly probability: number;
}

type Places = readonly Place<PastRun>[];

export const startPresenting = (places: Places, readCommits: ReadCommits) => {
  const presentPlaces = async (all: readonly Between[], chosen: readonly number[]) => {
    const counts = chosen.map((at) => commitsIn(places, all[at]!)?.length ?? null);
    const told: SincePlace[] = [];
    for (const at of chosen.slice(0, MOST_SINCE_PLACES)) {
      const between = all[at]!;
      const commits = commitsIn(places, between);
      const shown = commits?.slice(0, MOST_SINCE_COMMITS) ?? [];
      const known = await readCommits(shown);
      const before = places[between.from]?.runs.at(-1);
      told.push({
        probability: rounded(between.probability),
        before: before ? presentRun(before) : null,
        run: presentRun(places[between.to]!.runs[0]!),
        commitCount: commits?.length ?? null,
        commits: shown.flatMap((hash) => known.get(hash) ?? []),
      });
    }
    return {
      places: told,
      placeCount: chosen.length,
      commitCount: counts.every((count) => count !== null) ? counts.reduce((sum, count) => sum + count, 0) : null,
    };
  };

  return {
    change: async (steps: readonly Step[], course: Course, kind: 'broken' | 'flaky'): Promise<TestChange | null> => {
      const { probability, at, fromStart } = course[kind];
      if (probability < LEAST_PROBABILITY) return null;
      const isBad = ({ outcome }: PastRun): boolean =>
        outcome === 'failed' || (kind === 'flaky' && outcome === 'flaky');
      const start = likeliestStart(course[kind]);
      const badAt = places.findIndex((place, nth) => nth >= start && place.runs.some(isBad));
      const firstBad = places[badAt]?.runs.find(isBad);
      if (!firstBad) return null;
      const goodAt = places.findLastIndex((place, nth) => nth < badAt && place.runs.every((run) => !isBad(run)));
      const all = Array.from(at, (share, nth) => ({ from: nth - 1, to: nth, probability: share }));
      const chosen = likeliest([...at, fromStart], SURE).filter((nth) => nth < at.length);
      const before = places.slice(0, start).flatMap(({ runs }) => runs);
      const since = places.slice(start).flatMap(({ runs }) => runs);
      const commits = goodAt < 0 ? null : commitsIn(places, { from: goodAt, to: badAt, probability: 1 });
      return {
        sure: isSure(steps, course, kind),
        probability: rounded(probability),
        fromStart: rounded(fromStart),
        firstBad: presentRun(firstBad),
        lastGood: goodAt < 0 ? null : presentRun(places[goodAt]!.runs.at(-1)!),
        untested: commits === null ? null : commits.length - (badAt - goodAt),
        ...(await presentPlaces(all, chosen)),
        before: countsOf(before),
        since: countsOf(since),
        speaking: [...before.slice(-SPEAKING_BEFORE), ...since.slice(0, SPEAKING_SINCE)].map((run) => ({
          run: presentRun(run),
          outcome: run.outcome,
        })),
      };
    },

    /** `between` are the places of the change, by the places of the durations that it is told by. */
    duration: async (
      { at, before, after, places: chances }: Change,
      between: readonly Between[],
    ): Promise<DurationChange> => {
      const chosen = likeliest(
        chances.map(({ probability }) => probability),
        SURE,
      );
      const likely = between[chances.findIndex((place) => place.at === at)]!;
      return {
        beforeMs: Math.round(Math.exp(before)),
        afterMs: Math.round(Math.exp(after)),
        factor: Number(Math.exp(after - before).toPrecision(3)),
        lastBefore: presentRun(places[likely.from]!.runs.at(-1)!),
        firstAfter: presentRun(places[likely.to]!.runs[0]!),
        ...(await presentPlaces(between, chosen)),
      };
    },
  };
};

/** The newest first; null when any of them is not known. */
const commitsIn = (places: Places, { from, to }: Between): readonly string[] | null => {
  const parts = places.slice(from + 1, to + 1).map(({ commits }) => commits);
  return parts.includes(null) ? null : parts.toReversed().flatMap((commits) => commits!);
};

export const readSinceCommits = async (
  queries: Queries,
  projectId: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, SinceCommit>> => {
  const rows = await queries
    .selectFrom('commits')
    .select(['hash', 'author', 'subject', 'time'])
    .where('project_id', '=', projectId)
    .where('hash', 'in', hashes)
    .execute();
  return new Map(rows.map((row) => [row.hash, { ...row, time: formatTime(row.time) }]));
};
