import { type PastResult, notRunText } from '@assay/contract';
import type { ReactNode } from 'react';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Time } from '../../ui/time.tsx';
import { type Repository } from '../revision/repository.ts';
import { shortCommit } from '../revision/short-commit.ts';
import { type Verdict, titleOf, undecidedWords, verdictOf } from './verdict.ts';

interface Props {
  /** Newest first, of one branch. */
  readonly results: readonly PastResult[];
  /** Whether these are all results that there are. */
  readonly complete: boolean;
  /** Null where no run names one. */
  readonly branch: string | null;
  readonly repository: Repository | null;
}

/** Whether the test works now, since when, and whether a fix has held: in words. */
export const TestVerdict = ({ results, complete, branch, repository }: Props) => {
  const verdict = verdictOf(results);
  if (verdict === null) return null;
  const at = (result: PastResult): ReactNode => <Place result={result} repository={repository} />;
  return (
    <Notice tone={toneOf(verdict)} title={titleOf(verdict, complete) + (branch === null ? '' : ` on ${branch}`)}>
      <Words verdict={verdict} at={at} complete={complete} />
      {verdict.kind !== 'unknown' &&
        verdict.undecided.length > 0 &&
        ` It was ${undecidedWords(verdict.undecided)} since.`}
      {verdict.undecided[0]?.notRun && (
        <p>
          {at(verdict.undecided[0])}: {notRunText(verdict.undecided[0].notRun)}.
        </p>
      )}
    </Notice>
  );
};

const toneOf = (verdict: Verdict): 'bad' | 'good' | 'warn' | 'plain' => {
  if (verdict.kind === 'failing') return 'bad';
  if (verdict.kind === 'unknown') return 'plain';
  return verdict.flaky > 0 ? 'warn' : 'good';
};

interface WordsProps {
  readonly verdict: Verdict;
  readonly at: (result: PastResult) => ReactNode;
  readonly complete: boolean;
}

const Words = ({ verdict, at, complete }: WordsProps): ReactNode => {
  if (verdict.kind === 'unknown') {
    return `It was ${undecidedWords(verdict.undecided)}${complete ? ' and never ran otherwise' : '; older results were not looked at'}.`;
  }
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
