import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { firstLine } from '../error/error-text.tsx';
import { shortCommit } from '../revision/short-commit.ts';
import { LookMark } from '../status/status-mark.tsx';
import { type Comparison, type FailedTest, type FixedTest, failedFilter, sinceOf, unchanged } from './since.ts';
import styles from './since-panel.module.css';

const LISTED = 6;
const LISTED_STILL = 3;

/** What the latest run broke and fixed. */
export const SincePanel = ({ runId }: { readonly runId: number }) => {
  const query = useQuery(ask('compareRun', { params: { id: runId } }));
  const against = query.data?.comparedWith;
  return (
    <Panel
      title="Changes since the previous run"
      note={
        <>
          <Link to={paths.run(runId)}>#{runId}</Link>
          {against && (
            <>
              {' against '}
              <Link to={paths.run(against.id)}>#{against.id}</Link>
              {against.branch && ` on ${against.branch}`}
            </>
          )}
        </>
      }
    >
      <div className={styles['body']}>
        <Loaded query={query} rows={4}>
          {(comparison) => <Changes runId={runId} comparison={comparison} />}
        </Loaded>
      </div>
    </Panel>
  );
};

const Changes = ({ runId, comparison }: { readonly runId: number; readonly comparison: Comparison }) => {
  const since = sinceOf(comparison);
  const { newlyFailing, stillFailing, fixed } = since;
  const alone = comparison.comparedWith === null;
  const calm = unchanged(since);
  const failures = paths.run(runId, { filter: failedFilter(comparison.failures) });
  return (
    <>
      {alone && (
        <p className={styles['calm']}>
          There is no earlier run to compare with; the next one is compared with this.
          {newlyFailing.length === 0 && ' No test fails.'}
        </p>
      )}
      {!alone && calm && (
        <p className={styles['calm']}>
          <LookMark look={stillFailing.length > 0 ? 'other' : 'passed'} />
          {calm}
        </p>
      )}
      <Group
        title={`${formatCount(newlyFailing.length)} ${alone ? 'failing' : 'newly failing'}`}
        tone="failed"
        of={newlyFailing}
        rest={failures}
      >
        {(test: FailedTest) => <Failure key={test.testCaseId} test={test} />}
      </Group>
      {stillFailing.length > 0 && (
        <details className={styles['still']} open={newlyFailing.length === 0}>
          <summary>
            <LookMark look="failed" />
            <strong>{formatCount(stillFailing.length)} still failing</strong>
            <span className={styles['quiet']}>
              for up to {countOf(stillFailing[0]!.failedRuns, 'run')}
              {stillFailing[0]!.sinceBeyond && ' or more'}
            </span>
          </summary>
          <ul className={styles['tests']}>
            {stillFailing.slice(0, LISTED_STILL).map((test) => (
              <Failure key={test.testCaseId} test={test} />
            ))}
            <More count={stillFailing.length - LISTED_STILL} rest={failures} />
          </ul>
        </details>
      )}
      <Group title={`${formatCount(fixed.length)} newly fixed`} tone="passed" of={fixed} rest={null}>
        {(test: FixedTest) => <Fixed key={test.testCaseId} test={test} />}
      </Group>
    </>
  );
};

interface GroupProps<T> {
  readonly title: string;
  readonly tone: 'failed' | 'passed';
  readonly of: readonly T[];
  /** Where all of them are. */
  readonly rest: string | null;
  readonly children: (test: T) => ReactNode;
}

const Group = <T,>({ title, tone, of, rest, children }: GroupProps<T>) =>
  of.length > 0 && (
    <section className={styles['group']} aria-label={title}>
      <h3>
        <LookMark look={tone} />
        {title}
        {rest !== null && <Link to={rest}>All failures of the run</Link>}
      </h3>
      <ul className={styles['tests']}>
        {of.slice(0, LISTED).map(children)}
        <More count={of.length - LISTED} rest={rest} />
      </ul>
    </section>
  );

const More = ({ count, rest }: { readonly count: number; readonly rest: string | null }) =>
  count > 0 && (
    <li className={styles['quiet']}>
      {rest === null ? `and ${formatCount(count)} more` : <Link to={rest}>{formatCount(count)} more in the run</Link>}
    </li>
  );

const Failure = ({ test }: { readonly test: FailedTest }) => {
  const { failingSince, failedRuns, error } = test;
  return (
    <li className={styles['test']}>
      <Link to={paths.testCase(test.testCaseId)} className={styles['title']}>
        <MiddleText text={test.title} />
      </Link>
      <span className={styles['since']}>
        since{' '}
        <Link to={paths.run(failingSince.id)}>
          {test.sinceBeyond && 'before '}#{failingSince.id}
        </Link>
        {failingSince.commit && <code title={failingSince.commit}> {shortCommit(failingSince.commit)}</code>}
        {failedRuns > 1 && ` · ${countOf(failedRuns, 'run')}`}
        {' · '}
        <Time value={failingSince.startTime} />
      </span>
      <code className={styles['error']} title={error ? firstLine(error) : undefined}>
        {error ? firstLine(error) : 'No error message'}
      </code>
    </li>
  );
};

const Fixed = ({ test }: { readonly test: FixedTest }) => (
  <li className={styles['test']}>
    <Link to={paths.testCase(test.testCaseId)} className={styles['title']}>
      <MiddleText text={test.title} />
    </Link>
    <span className={styles['since']}>
      had failed in {countOf(test.failedRuns, 'run')}, last in{' '}
      <Link to={paths.testCase(test.lastFailed.testCaseId)}>#{test.lastFailed.id}</Link>
    </span>
  </li>
);
