import type { DurationChange, RunOfResult, SincePlace, TestChange, TestSince } from '@assay/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatShare } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Repository } from '../revision/repository.ts';
import { shortCommit } from '../revision/short-commit.ts';
import { basisWords, changeTitle, countsWords, durationTitle, isFromStart, untestedWords } from './since-words.ts';
import styles from './since-panel.module.css';

interface Props {
  readonly since: TestSince;
  readonly repository: Repository | null;
}

/** The part of an address that leads to it. */
export const SINCE_PANEL = 'since';

/** Since which commit the test is broken, flaky or slower, where that is so. */
export const SincePanel = ({ since, repository }: Props) => {
  const { broken, flaky, durations } = since;
  const panel = useRef<HTMLDivElement>(null);
  // It comes after the page that the browser would look for it on, and after that page went to its top.
  useEffect(() => {
    if (window.location.hash !== `#${SINCE_PANEL}`) return;
    requestAnimationFrame(() => panel.current?.scrollIntoView());
  }, []);
  if (!broken && !flaky && durations.length === 0) return null;
  return (
    <div ref={panel} id={SINCE_PANEL}>
      <Panel title="Since when" note={since.branch === null ? undefined : `on ${since.branch}`}>
        <ul className={styles['list']}>
          {broken && <ChangeItem change={broken} kind="broken" since={since} repository={repository} />}
          {flaky && <ChangeItem change={flaky} kind="flaky" since={since} repository={repository} />}
          {durations.toReversed().map((change) => (
            <DurationItem key={change.firstAfter.id} change={change} since={since} repository={repository} />
          ))}
        </ul>
      </Panel>
    </div>
  );
};

const ChangeItem = ({
  change,
  kind,
  since,
  repository,
}: Props & { readonly change: TestChange; readonly kind: 'broken' | 'flaky' }) => {
  const { firstBad, lastGood, probability, places, placeCount, fromStart, before, speaking } = change;
  const bad = kind === 'broken' ? 'failed' : 'passed on a retry or failed';
  return (
    <li>
      <p>
        <strong>{changeTitle(change, kind)}</strong>
      </p>
      <p>
        {isFromStart(change) ? (
          <>
            It was so with the first result that was looked at, <Run run={firstBad} repository={repository} />. When it
            began is not known.
          </>
        ) : (
          <>
            {lastGood ? (
              <>
                Good last in <Run run={lastGood} repository={repository} />, {bad}
              </>
            ) : (
              `It ${bad}`
            )}{' '}
            first in <Run run={firstBad} repository={repository} />. {untestedWords(change)}
          </>
        )}
      </p>
      <details>
        <summary>How this is known</summary>
        <p>
          {basisWords(since)} Before, it {countsWords(before)}; since then it {countsWords(change.since)}.
        </p>
        <p>
          That the test is {kind} now is {formatShare(probability)} likely. Each commit may have made it fine, flaky or
          broken; the likelihood of all such courses together gives that of each beginning.
        </p>
        <Places places={places} count={placeCount} fromStart={fromStart} repository={repository} />
        <p>Results around the beginning:</p>
        <ol className={styles['results']}>
          {speaking.map(({ run, outcome }) => (
            <li key={run.testCaseId}>
              <p>
                <Run run={run} repository={repository} /> {outcome === 'flaky' ? 'passed on a retry' : outcome}
              </p>
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
};

const DurationItem = ({ change, since, repository }: Props & { readonly change: DurationChange }) => (
  <li>
    <p>
      <strong>{durationTitle(change)}</strong>
    </p>
    <p>
      {formatDuration(change.beforeMs)} usually up to <Run run={change.lastBefore} repository={repository} />,{' '}
      {formatDuration(change.afterMs)} from <Run run={change.firstAfter} repository={repository} /> on.
    </p>
    <details>
      <summary>How this is known</summary>
      <p>
        {basisWords(since)} Usual is the median of the results that passed at once; runs of one commit count once. The
        ranks of the durations before and after differ by far more than those of a test that does not change. What
        slowed all tests down for a while was taken off.
      </p>
      <Places places={change.places} count={change.placeCount} fromStart={0} repository={repository} />
    </details>
  </li>
);

interface PlacesProps {
  readonly places: readonly SincePlace[];
  readonly count: number;
  readonly fromStart: number;
  readonly repository: Repository | null;
}

const Places = ({ places, count, fromStart, repository }: PlacesProps) =>
  places.length === 0 ? null : (
    <>
      <p>Where it began, with 95 % certainty:</p>
      <ol className={styles['results']}>
        {places.map((place) => (
          <li key={place.run.id}>
            <p>
              {formatShare(place.probability)}:{' '}
              {place.before && (
                <>
                  after <Run run={place.before} repository={repository} />,{' '}
                </>
              )}
              with <Run run={place.run} repository={repository} />
              {place.commitCount !== null && place.commitCount > 1 && `, ${countOf(place.commitCount, 'commit')}`}
            </p>
            {place.commits.length > 0 && (
              <ul>
                {place.commits.map(({ hash, subject, author }) => (
                  <li key={hash}>
                    <p>
                      <Commit hash={hash} repository={repository} /> {subject} ({author})
                    </p>
                  </li>
                ))}
                {(place.commitCount ?? 0) > place.commits.length && (
                  <li>and {countOf(place.commitCount! - place.commits.length, 'other commit')}</li>
                )}
              </ul>
            )}
          </li>
        ))}
        {fromStart >= 0.01 && <li>{formatShare(fromStart)}: before the first result</li>}
        {count > places.length && <li>and {countOf(count - places.length, 'less likely place')}</li>}
      </ol>
    </>
  );

interface RunProps {
  readonly run: RunOfResult;
  readonly repository: Repository | null;
}

export const Run = ({ run, repository }: RunProps): ReactNode => (
  <>
    <Link to={paths.testCase(run.testCaseId)}>#{run.id}</Link>
    {run.commit !== null && (
      <>
        {' '}
        at <Commit hash={run.commit} repository={repository} />
      </>
    )}
  </>
);

const Commit = ({ hash, repository }: { readonly hash: string; readonly repository: Repository | null }) => (
  <OutsideLink href={repository?.commit(hash) ?? null}>
    <code>{shortCommit(hash)}</code>
  </OutsideLink>
);
