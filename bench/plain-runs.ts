/** Runs of any size, made faster than a service stores them: most tests are those of the run before, a few are new. */
export interface PlainRun {
  readonly projectName: string;
  readonly run: number;
  readonly cases: number;
  /** How many tests each run has that the run before did not have. */
  readonly newTests?: number;
  /** Else an hour after the run before. */
  readonly startedAt?: number;
  readonly runKey?: string;
  /** Only its share of the cases. */
  readonly shard?: { readonly index: number; readonly total: number };
}

const FIRST_RUN_AT = Date.UTC(2020, 0, 1);
const HOUR_MS = 3_600_000;
const TESTS_PER_FILE = 20;
const FAILED_EVERY = 97;

export const plainRunBody = (plain: PlainRun): Buffer => {
  const { projectName, run, startedAt = FIRST_RUN_AT + run * HOUR_MS, runKey, shard } = plain;
  const startTime = new Date(startedAt).toISOString();
  const branch = run % 3 === 0 ? `change-${run % 21}` : 'main';
  const duration = 60_000 + run;
  const head = JSON.stringify({ projectName, status: 'failed', startTime, duration, branch, runKey, shard });
  const share = plain.cases / (shard?.total ?? 1);
  const from = share * ((shard?.index ?? 1) - 1);
  return Buffer.from(`${head.slice(0, -1)},"testCases":[${plainCases(plain, from, from + share)}]}`);
};

/** The cases of a run as JSON, from one index to another. */
export const plainCases = ({ run, cases, newTests = 0 }: PlainRun, from = 0, to = cases): string => {
  const parts: string[] = [];
  for (let index = from; index < to; index++) {
    const test = run * newTests + index;
    const duration = 20 + ((test * 7919 + run * 104_729) % 4_000);
    const failed = (test + run) % FAILED_EVERY === 0;
    const outcome = failed
      ? `"failed","error":"Error: expected ${duration} to be less than ${test % 1_000}\\n    at check (tests/area-${test % 40}.spec.ts:${run % 300}:7)"`
      : '"passed"';
    parts.push(
      `{"title":"scenario ${test} keeps what it was given","location":"tests/area-${Math.floor(test / TESTS_PER_FILE)}.spec.ts:${(test % TESTS_PER_FILE) * 9 + 4}:3","duration":${duration},"status":${outcome}}`,
    );
  }
  return parts.join(',');
};
