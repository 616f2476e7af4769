/** A run by what tells whether another one ran the same code, or what came before and after it. */
export interface RunOfFailures {
  readonly branch: string | null;
  readonly commit: string | null;
}

/** A test that failed in a run, by the number of the run. */
export interface FailureInRun {
  readonly run: number;
  readonly test: number;
}

export interface ChanceFinder {
  /** Whether anything is to be told of this test. */
  wants(test: number): boolean;
  /** Tells that a test ran, run by run, the oldest first. */
  add(run: number, test: number, passed: boolean): void;
  /** Which of the failures were by chance, in their order. */
  find(): boolean[];
}

/**
 * Finds failures that had nothing to do with the code: those on a commit on which another run passed the test, and those of
 * a test that is known to fail by chance where the runs of the branch before and after it passed.
 */
export const createChanceFinder = (
  runs: readonly RunOfFailures[],
  failures: readonly FailureInRun[],
  /** Tests that passed on a retry somewhere. */
  retried: ReadonlySet<number>,
): ChanceFinder => {
  const tests = new Set(failures.map(({ test }) => test));
  const placeOf = ({ branch }: RunOfFailures, test: number): string => `${test} ${branch ?? ''}`;
  const sameCode = ({ commit }: RunOfFailures, test: number): string => `${test} ${commit!}`;
  const places = new Map(failures.map(({ run, test }) => [placeOf(runs[run]!, test), startPlace()]));
  const commits = new Set(failures.flatMap(({ run, test }) => (runs[run]!.commit ? sameCode(runs[run]!, test) : [])));
  const passedCommits = new Set<string>();
  const alone = new Set<string>();
  return {
    wants: (test) => tests.has(test),
    add(number, test, passed) {
      const run = runs[number]!;
      if (passed && run.commit && commits.has(sameCode(run, test))) passedCommits.add(sameCode(run, test));
      const place = places.get(placeOf(run, test));
      if (!place) return;
      if (!passed) {
        place.failed = place.failed === null && place.passed ? number : SEVERAL;
        return;
      }
      if (place.failed !== null && place.failed !== SEVERAL) alone.add(`${test} ${place.failed}`);
      place.passed = true;
      place.failed = null;
    },
    find() {
      const mixed = failures.map(({ run, test }) => passedCommits.has(sameCode(runs[run]!, test)));
      const known = new Set(retried);
      for (const [at, { test }] of failures.entries()) if (mixed[at]) known.add(test);
      return failures.map(({ run, test }, at) => mixed[at]! || (known.has(test) && alone.has(`${test} ${run}`)));
    },
  };
};

/** A test on a branch: whether it ever passed there, and in which run it has failed since. */
interface PlaceOfTest {
  passed: boolean;
  failed: number | null;
}

const SEVERAL = -1;

const startPlace = (): PlaceOfTest => ({ passed: false, failed: null });
