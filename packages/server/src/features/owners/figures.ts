import { type OwnerFigures, formatTime, outcomeOf } from '@assay/contract';
import type { Context } from '../../context.ts';
import { LARGE_FROM_ROWS } from '../../http/large-answers.ts';
import { type Tally, tallyAt } from '../../segments/summary.ts';
import type { OwnersOf } from './codeowners.ts';

const TESTS_AT_ONCE = 500;
const NOBODY: readonly null[] = [null];

type Summed = Omit<OwnerFigures, 'lastFailure'> & { lastFailureMs: number };

/** Adds up the tests of each owner; most failing tests first, then most tests, and what nobody owns last. */
export const figuresOfOwners = async (
  { tests }: Pick<Context, 'tests'>,
  tally: Tally,
  ownersOf: OwnersOf,
): Promise<OwnerFigures[]> => {
  const { ids } = tally.tests;
  const summed = new Map<string | null, Summed>();
  const keep = ids.length <= LARGE_FROM_ROWS;
  for (let first = 0; first < ids.length; first += TESTS_AT_ONCE) {
    const named = await tests.findEach(ids.slice(first, first + TESTS_AT_ONCE), { keep });
    for (const [at, test] of named.entries()) {
      if (!test) continue;
      const found = ownersOf(test.file);
      for (const owner of found.length === 0 ? NOBODY : found) addTest(summed, owner, tally, first + at);
    }
  }
  return [...summed.values()]
    .sort(
      (a, b) =>
        Number(a.owner === null) - Number(b.owner === null) ||
        b.failing - a.failing ||
        b.tests - a.tests ||
        (a.owner! < b.owner! ? -1 : 1),
    )
    .map(({ lastFailureMs, ...figures }) => ({
      ...figures,
      lastFailure: Number.isFinite(lastFailureMs) ? formatTime(lastFailureMs) : null,
    }));
};

const addTest = (summed: Map<string | null, Summed>, owner: string | null, tally: Tally, row: number): void => {
  const { passed, failed, flaky, lastStatus, failedStart } = tallyAt(tally, row);
  let sum = summed.get(owner);
  if (!sum) {
    sum = { owner, tests: 0, failing: 0, flaky: 0, passedRuns: 0, failedRuns: 0, lastFailureMs: -Infinity };
    summed.set(owner, sum);
  }
  sum.tests++;
  if (outcomeOf(lastStatus) === 'failed') sum.failing++;
  if (flaky > 0) sum.flaky++;
  sum.passedRuns += passed;
  sum.failedRuns += failed;
  if (failedStart > sum.lastFailureMs) sum.lastFailureMs = failedStart;
};
