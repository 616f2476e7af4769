import type { Links } from '../commits/known-history.ts';

export interface RunToPlace {
  readonly commit: string | null;
  readonly startTime: number;
}

/** Runs of one commit, with what is new in it. */
export interface Place<R> {
  readonly runs: readonly R[];
  /** That it has and the place before has not, the newest first; null when they are not known. */
  readonly commits: readonly string[] | null;
}

export interface Placed<R> {
  /** Oldest first. */
  readonly places: readonly Place<R>[];
  readonly by: 'commits' | 'time';
  /** Runs of commits that are not behind the newest one, or not known to be. */
  readonly unplaced: number;
}

/**
 * Puts runs in the order of the history of the code, whatever their clocks said. Where that is known of fewer than half of
 * them, they are in the order of their starts. Runs are given in that order.
 */
export const placeRuns = <R extends RunToPlace>(runs: readonly R[], links: Links): Placed<R> => {
  const runsOf = Map.groupBy(runs, ({ commit }) => commit);
  const line = findLine(runs, links);
  const onLine = line.reduce((sum, commit) => sum + runsOf.get(commit)!.length, 0);
  if (line.length < 2 || onLine < runs.length / 2) return { places: byTime(runs), by: 'time', unplaced: 0 };
  const isOnLine = new Set<string | null>(line);
  const firstStart = Math.min(...line.flatMap((commit) => runsOf.get(commit)!.map(({ startTime }) => startTime)));
  const earlier = runs.filter(
    ({ commit, startTime }) => startTime < firstStart && (commit === null || !links.has(commit)),
  );
  const places: Place<R>[] = byTime(earlier);
  const seen = new Set<string>();
  for (const [nth, commit] of line.entries()) {
    const { commits, isWhole } = takeNew(commit, links, seen);
    places.push({ runs: runsOf.get(commit)!, commits: nth === 0 || !isWhole ? null : commits });
  }
  const unplaced = runs.filter((run) => !isOnLine.has(run.commit)).length - earlier.length;
  return { places, by: 'commits', unplaced };
};

const byTime = <R extends RunToPlace>(runs: readonly R[]): Place<R>[] => {
  const places = Map.groupBy(runs, (run) => run.commit ?? run);
  return [...places.values()].map((some) => ({ runs: some, commits: null }));
};

/** The commits of runs that are behind one another, oldest first: those behind the newest one, which may have started earlier. */
const findLine = (runs: readonly RunToPlace[], links: Links): string[] => {
  const order = orderOf(links);
  const known = [...new Set(runs.map(({ commit }) => commit))].filter(
    (commit): commit is string => commit !== null && order.has(commit),
  );
  const latest = known.at(-1);
  if (latest === undefined) return [];
  known.sort((a, b) => order.get(b)! - order.get(a)!);
  const newest = known.find((commit) => isBehind(latest, commit, links, order))!;
  const line = [newest];
  for (const commit of known) {
    if (commit !== newest && isBehind(commit, line.at(-1)!, links, order)) line.push(commit);
  }
  return line.reverse();
};

/** Numbers that rise from parents to children. Senders may tell of commits that are behind themselves. */
const orderOf = (links: Links): ReadonlyMap<string, number> => {
  const order = new Map<string, number>();
  const entered = new Set<string>();
  for (const start of links.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const hash = stack.at(-1)!;
      const waiting = entered.has(hash)
        ? []
        : links.get(hash)!.filter((parent) => links.has(parent) && !entered.has(parent));
      entered.add(hash);
      if (waiting.length > 0) stack.push(...waiting);
      else {
        if (!order.has(hash)) order.set(hash, order.size);
        stack.pop();
      }
    }
  }
  return order;
};

const isBehind = (older: string, newer: string, links: Links, order: ReadonlyMap<string, number>): boolean => {
  const least = order.get(older)!;
  const seen = new Set([newer]);
  for (const hash of seen) {
    if (hash === older) return true;
    for (const parent of links.get(hash)!) if ((order.get(parent) ?? -1) >= least) seen.add(parent);
  }
  return false;
};

/** A commit and what is behind it, except for what was seen before; which all of it then was. */
const takeNew = (commit: string, links: Links, seen: Set<string>): { commits: string[]; isWhole: boolean } => {
  const commits = [commit];
  let isWhole = true;
  seen.add(commit);
  for (const hash of commits) {
    for (const parent of links.get(hash)!) {
      if (!links.has(parent)) isWhole = false;
      else if (!seen.has(parent)) {
        seen.add(parent);
        commits.push(parent);
      }
    }
  }
  return { commits, isWhole };
};
