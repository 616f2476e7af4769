import { type PastResult, isFlaky, outcomeOf } from '@assay/contract';

/** How a test is doing on one branch, from its results. */
export type Verdict =
  | {
      readonly kind: 'failing';
      /** The first of the failures in a row. */
      readonly since: PastResult;
      readonly failures: number;
      /** Null where none of the results before passed. */
      readonly lastPassed: PastResult | null;
      readonly skipped: number;
    }
  | {
      readonly kind: 'passing';
      /** Null where none of the results failed. */
      readonly lastFailed: PastResult | null;
      /** Passed results since then. */
      readonly passes: number;
      /** How many of these needed another attempt. */
      readonly flaky: number;
      readonly skipped: number;
    }
  | { readonly kind: 'skipped'; readonly skipped: number };

/** Newest first. What was skipped neither ends a row nor counts in it; `skipped` are those since the last that ran. */
export const verdictOf = (results: readonly PastResult[]): Verdict | null => {
  if (results.length === 0) return null;
  const ran = results.filter(({ status }) => ['passed', 'failed'].includes(outcomeOf(status)));
  const newest = ran[0];
  if (newest === undefined) return { kind: 'skipped', skipped: results.length };
  const skipped = results.indexOf(newest);
  const isFailed = ({ status }: PastResult): boolean => outcomeOf(status) === 'failed';
  const turn = ran.findIndex((result) => isFailed(result) !== isFailed(newest));
  const row = turn < 0 ? ran : ran.slice(0, turn);
  const before = ran[turn] ?? null;
  if (isFailed(newest)) {
    return { kind: 'failing', since: row.at(-1)!, failures: row.length, lastPassed: before, skipped };
  }
  const flaky = row.filter(({ status, retries }) => isFlaky(status, retries)).length;
  return { kind: 'passing', lastFailed: before, passes: row.length, flaky, skipped };
};
