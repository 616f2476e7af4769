import { type PastResult, isFlaky, outcomeOf } from '@assay/contract';
import { countOf } from '../../format/number.ts';

/** How a test is doing on one branch, from its results. */
export type Verdict =
  | {
      readonly kind: 'failing';
      /** The first of the failures in a row. */
      readonly since: PastResult;
      readonly failures: number;
      /** Null where none of the results before passed. */
      readonly lastPassed: PastResult | null;
      readonly undecided: readonly PastResult[];
    }
  | {
      readonly kind: 'passing';
      /** Null where none of the results failed. */
      readonly lastFailed: PastResult | null;
      /** Passed results since then. */
      readonly passes: number;
      /** How many of these needed another attempt. */
      readonly flaky: number;
      readonly undecided: readonly PastResult[];
    }
  | { readonly kind: 'unknown'; readonly undecided: readonly PastResult[] };

/** Newest first. What neither passed nor failed neither ends a row nor counts in it; `undecided` are those since it did. */
export const verdictOf = (results: readonly PastResult[]): Verdict | null => {
  if (results.length === 0) return null;
  const ran = results.filter(({ status }) => ['passed', 'failed'].includes(outcomeOf(status)));
  const newest = ran[0];
  if (newest === undefined) return { kind: 'unknown', undecided: results };
  const undecided = results.slice(0, results.indexOf(newest));
  const isFailed = ({ status }: PastResult): boolean => outcomeOf(status) === 'failed';
  const turn = ran.findIndex((result) => isFailed(result) !== isFailed(newest));
  const row = turn < 0 ? ran : ran.slice(0, turn);
  const before = ran[turn] ?? null;
  if (isFailed(newest)) {
    return { kind: 'failing', since: row.at(-1)!, failures: row.length, lastPassed: before, undecided };
  }
  const flaky = row.filter(({ status, retries }) => isFlaky(status, retries)).length;
  return { kind: 'passing', lastFailed: before, passes: row.length, flaky, undecided };
};

/** What the heading says; `complete` are all results that there are. */
export const titleOf = (verdict: Verdict, complete: boolean): string => {
  switch (verdict.kind) {
    case 'failing':
      return verdict.failures === 1 && verdict.lastPassed !== null ? 'Newly failing' : 'Failing';
    case 'passing':
      if (verdict.lastFailed !== null) return verdict.flaky > 0 ? 'Passing again, with retries' : 'Passing again';
      return complete ? 'Never failed' : 'Passing';
    case 'unknown':
      return 'Unknown whether it works';
  }
};

/** `skipped in 2 runs` */
export const undecidedWords = (undecided: readonly PastResult[]): string => {
  const skipped = undecided.every(({ status }) => outcomeOf(status) === 'skipped');
  return `${skipped ? 'skipped' : 'neither passed nor failed'} in ${countOf(undecided.length, 'run')}`;
};
