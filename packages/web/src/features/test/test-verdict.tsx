import type { PastResult } from '@assay/contract';
import type { ReactNode } from 'react';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Time } from '../../ui/time.tsx';
import { type Repository } from '../revision/repository.ts';
import { shortCommit } from '../revision/short-commit.ts';
import { type Verdict, verdictOf } from './verdict.ts';

interface Props {
  /** Newest first, of one branch. */
  readonly results: readonly PastResult[];
  /** Whether these are all results that there are. */
  readonly complete: boolean;
  readonly branch: string;
  readonly repository: Repository | null;
}

/** Whether the test works now, since when, and whether a fix has held: in words. */
export const TestVerdict = ({ results, complete, branch, repository }: Props) => {
  const verdict = verdictOf(results);
  if (verdict === null) return null;
  const at = (result: PastResult): ReactNode => <Place result={result} repository={repository} />;
  return (
    <Notice tone={toneOf(verdict)} title={`${titleOf(verdict, complete)} on ${branch}`}>
      <Words verdict={verdict} at={at} count={results.length} complete={complete} />
      {verdict.kind !== 'skipped' && verdict.skipped > 0 && ` Skipped in ${countOf(verdict.skipped, 'run')} since.`}
    </Notice>
  );
};

const toneOf = (verdict: Verdict): 'bad' | 'good' | 'warn' | 'plain' => {
  if (verdict.kind === 'failing') return 'bad';
  if (verdict.kind === 'skipped') return 'plain';
  return verdict.flaky > 0 ? 'warn' : 'good';
};

const titleOf = (verdict: Verdict, complete: boolean): string => {
  if (verdict.kind === 'failing') return verdict.failures === 1 ? 'Newly failing' : 'Failing';
  if (verdict.kind === 'skipped') return 'Always skipped';
  if (verdict.lastFailed !== null) return verdict.flaky > 0 ? 'Passing again, with retries' : 'Passing again';
  return complete ? 'Never failed' : 'Passing';
};

interface WordsProps {
  readonly verdict: Verdict;
  readonly at: (result: PastResult) => ReactNode;
  readonly count: number;
  readonly complete: boolean;
}

const Words = ({ verdict, at, count, complete }: WordsProps): ReactNode => {
  if (verdict.kind === 'skipped') return `It was skipped in all ${countOf(count, 'result')}.`;
  if (verdict.kind === 'failing') {
    const { since, failures, lastPassed } = verdict;
    return (
      <>
        It {failures === 1 ? 'failed first' : `failed ${failures} times in a row, first`} in {at(since)}.{' '}
        {lastPassed ? <>Before, it passed in {at(lastPassed)}.</> : neverPassed(complete)}
      </>
    );
  }
  const { lastFailed, passes, flaky } = verdict;
  const retried = flaky > 0 && `, ${flaky === passes ? 'each' : `${flaky} of them`} only when tried again`;
  return lastFailed ? (
    <>
      It passed in {countOf(passes, 'run')}
      {retried} since it failed in {at(lastFailed)}.
    </>
  ) : (
    <>
      It passed in {countOf(passes, 'run')}
      {retried}
      {complete ? '.' : '; older results were not looked at.'}
    </>
  );
};

const neverPassed = (complete: boolean): string =>
  complete ? 'It never passed.' : 'None of the results looked at passed.';

const Place = ({ result, repository }: { readonly result: PastResult; readonly repository: Repository | null }) => (
  <>
    <Link to={paths.testCase(result.id)}>#{result.testRunId}</Link>
    {result.commit && (
      <>
        {' '}
        at{' '}
        <OutsideLink href={repository?.commit(result.commit) ?? null}>
          <code>{shortCommit(result.commit)}</code>
        </OutsideLink>
      </>
    )}
    , <Time value={result.startTime} />
  </>
);
