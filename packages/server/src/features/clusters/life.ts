import type { ClusterLife } from '@assay/contract';

export interface JudgingRun {
  readonly id: number;
  readonly branch: string | null;
  readonly startTime: number;
  /** Whether it has finished and was to run all tests: only then does it say anything that it does not show a cluster. */
  readonly isWhole: boolean;
}

/** Chances that a cluster which still goes on is missing from so many runs. */
const QUIET_CHANCE = 0.1;
const FIXED_CHANCE = 0.01;
const LEAST_RUNS_TO_BE_FIXED = 3;
/** A branch may be gone: what was seen on it only is quiet after so long, if the project went on. */
const QUIET_MS = 14 * 24 * 3_600_000;
const LEAST_RUNS_TO_BE_QUIET = 10;

/**
 * Whether a cluster of failures goes on. `runs` are those of its project, oldest first; only those of branches on which it
 * was seen count. It is taken to show up in each of them with one probability, of which nothing is known before.
 */
export const judgeLife = (runs: readonly JudgingRun[], seen: ReadonlySet<number>): ClusterLife => {
  const branches = new Set(runs.flatMap(({ id, branch }) => (seen.has(id) ? [branch] : [])));
  let [seenIn, seenOf, runsWithout] = [0, 0, 0];
  let returnedAfter: number | null = null;
  let lastSeen: JudgingRun | null = null;
  let othersSince = 0;
  for (const run of runs) {
    if (!seen.has(run.id)) {
      if (!run.isWhole || !lastSeen) continue;
      othersSince++;
      if (branches.has(run.branch)) runsWithout++;
      continue;
    }
    if (isFixed(seenIn, seenOf, runsWithout)) {
      returnedAfter = runsWithout;
      [seenIn, seenOf] = [1, 1];
    } else {
      seenIn++;
      seenOf += runsWithout + 1;
    }
    runsWithout = 0;
    othersSince = 0;
    lastSeen = run;
  }
  const chance = chanceOfAbsence(seenIn, seenOf, runsWithout);
  const isLongAgo =
    lastSeen === null ||
    (othersSince >= LEAST_RUNS_TO_BE_QUIET && runs.at(-1)!.startTime - lastSeen.startTime >= QUIET_MS);
  const state = isFixed(seenIn, seenOf, runsWithout)
    ? 'fixed'
    : chance < QUIET_CHANCE || isLongAgo
      ? 'quiet'
      : returnedAfter === null
        ? 'open'
        : 'returned';
  return { state, runsWithout, chance: Number(chance.toPrecision(3)), seenIn, seenOf, returnedAfter };
};

const isFixed = (seenIn: number, seenOf: number, runsWithout: number): boolean =>
  runsWithout >= LEAST_RUNS_TO_BE_FIXED && chanceOfAbsence(seenIn, seenOf, runsWithout) < FIXED_CHANCE;

/**
 * That it is missing from the next `absent` runs. The run in which it was first seen says that it exists, and not how
 * often it shows up: the others do, and before them each probability is as likely as any other.
 */
export const chanceOfAbsence = (seenIn: number, seenOf: number, absent: number): number => {
  if (seenIn === 0) return 1;
  const missed = seenOf - seenIn + 1;
  let chance = 1;
  for (let run = 0; run < absent && chance > 1e-6; run++) chance *= (missed + run) / (missed + run + seenIn);
  return chance;
};
