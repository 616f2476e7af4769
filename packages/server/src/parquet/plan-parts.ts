import type { ExportedPart } from './manifest.ts';

/** A part is full with either; a single run may have more. */
const RESULTS_PER_PART = 200_000;
const RUNS_PER_PART = 5_000;
/** So many parts of a month that are not half full are joined. */
const MOST_SMALL_PARTS = 10;

export interface StoredRun {
  readonly id: number;
  readonly month: string;
  /** Another one whenever any of what is exported of the run is another. */
  readonly state: string;
  readonly results: number;
  readonly isRunning: boolean;
}

/** Parts that take the place of others. */
export interface PartsPlan {
  readonly month: string;
  readonly replaced: readonly ExportedPart[];
  readonly written: readonly (readonly StoredRun[])[];
}

/** What has to be done for the parts of a project to have its runs as they are stored. */
export const planParts = (stored: readonly StoredRun[], parts: readonly ExportedPart[]): PartsPlan[] => {
  const byId = new Map(stored.map((run) => [run.id, run]));
  const storedByMonth = Map.groupBy(stored, ({ month }) => month);
  const partsByMonth = Map.groupBy(parts, ({ month }) => month);
  const months = [...new Set([...storedByMonth.keys(), ...partsByMonth.keys()])].sort();
  return months.flatMap((month) => {
    const ofMonth = partsByMonth.get(month) ?? [];
    const isUpToDate = (part: ExportedPart): boolean =>
      part.runs.every(([id, state]) => {
        const run = byId.get(id);
        return run?.state === state && run.month === month;
      });
    const upToDate = ofMonth.filter(isUpToDate);
    const small = upToDate.filter(isSmall);
    const kept = new Set(small.length > MOST_SMALL_PARTS ? upToDate.filter((part) => !isSmall(part)) : upToDate);
    const keptRuns = new Set([...kept].flatMap(({ runs }) => runs.map(([id]) => id)));
    const replaced = ofMonth.filter((part) => !kept.has(part));
    const missing = (storedByMonth.get(month) ?? []).filter(({ id }) => !keptRuns.has(id));
    // A run that goes on changes again, and the others of its part would be written with it.
    const written = [missing.filter((run) => !run.isRunning), missing.filter((run) => run.isRunning)].flatMap(cut);
    return replaced.length === 0 && written.length === 0 ? [] : [{ month, replaced, written }];
  });
};

const isSmall = ({ runs }: ExportedPart): boolean =>
  runs.length < RUNS_PER_PART / 2 && runs.reduce((sum, [, , results]) => sum + results, 0) < RESULTS_PER_PART / 2;

const cut = (runs: readonly StoredRun[]): StoredRun[][] => {
  const parts: StoredRun[][] = [];
  let results = Infinity;
  for (const run of runs) {
    const part = parts.at(-1);
    if (part && part.length < RUNS_PER_PART && results + run.results <= RESULTS_PER_PART) {
      part.push(run);
      results += run.results;
    } else {
      parts.push([run]);
      ({ results } = run);
    }
  }
  return parts;
};
