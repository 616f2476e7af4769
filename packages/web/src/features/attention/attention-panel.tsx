import type { ChangedTests, Cluster } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { useNow } from '../../ui/clock.ts';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { SINCE_PANEL } from '../test/since-panel.tsx';
import { needAttention } from './attention.ts';
import { flakyWords, slowerWords } from './changed-words.ts';
import styles from './attention.module.css';

const LISTED = 5;

/** Problems that came or came back lately, and tests that became flaky or slower; nothing where there are none. */
export const AttentionPanel = ({ projectId }: { readonly projectId: number }) => {
  const { data: found } = useQuery(ask('listClusters', { params: { id: projectId }, query: {} }));
  const { data: changed } = useQuery(ask('listChangedTests', { params: { id: projectId } }));
  const { returned, fresh, flaky, slower } = needAttention(found?.clusters ?? [], changed ?? NONE, useNow());
  if (returned.length + fresh.length + flaky.length + slower.length === 0) return null;
  const clusters = [...returned, ...fresh];
  const problems = [
    returned.length > 0 && `${formatCount(returned.length)} came back`,
    fresh.length > 0 && `${formatCount(fresh.length)} new within a week`,
  ].filter(Boolean);
  const note = [
    problems.length > 0 && `problems on all branches: ${problems.join(', ')}`,
    flaky.length > 0 && `${countOf(changed!.flakyCount, 'test')} became flaky`,
    slower.length > 0 && `${countOf(changed!.slowerCount, 'test')} became slower`,
  ];
  return (
    <Panel
      title="Needs attention"
      note={note.filter(Boolean).join('; ')}
      actions={<Link to={paths.clusters(projectId)}>All clusters of failures</Link>}
    >
      <ul className={styles['listed']}>
        {clusters.slice(0, LISTED).map((cluster) => (
          <li key={`cluster ${cluster.id}`}>
            <Link to={paths.cluster(cluster.id)}>
              <code>{cluster.cause || 'An error without words'}</code>
            </Link>
            <Since cluster={cluster} />
          </li>
        ))}
        {flaky.slice(0, LISTED).map((test) => (
          <ChangedTest key={`flaky ${test.id}`} test={test} since={test.firstBad.startTime}>
            {flakyWords(test)}
          </ChangedTest>
        ))}
        {slower.slice(0, LISTED).map((test) => (
          <ChangedTest key={`slower ${test.id}`} test={test} since={test.firstAfter.startTime}>
            {slowerWords(test)}
          </ChangedTest>
        ))}
      </ul>
      <More
        counts={[
          [clusters.length, 'problem'],
          [flaky.length, 'flaky test'],
          [slower.length, 'slower test'],
        ]}
        unjudged={changed?.unjudged ?? 0}
      />
    </Panel>
  );
};

const NONE: Pick<ChangedTests, 'flaky' | 'slower'> = { flaky: [], slower: [] };

interface MoreProps {
  readonly counts: readonly (readonly [count: number, noun: string])[];
  readonly unjudged: number;
}

const More = ({ counts, unjudged }: MoreProps) => {
  const left = counts.filter(([count]) => count > LISTED);
  if (left.length === 0 && unjudged === 0) return null;
  return (
    <p className={styles['more']}>
      {left.length > 0 && `And ${left.map(([count, noun]) => countOf(count - LISTED, `more ${noun}`)).join(', ')}. `}
      {unjudged > 0 && `${countOf(unjudged, 'test')} may have changed too, less clearly.`}
    </p>
  );
};

interface ChangedProps {
  readonly test: ChangedTests['flaky'][number] | ChangedTests['slower'][number];
  readonly since: string;
  readonly children: ReactNode;
}

/** Leads to where the page of the test says how this is known. */
const ChangedTest = ({ test, since, children }: ChangedProps) => (
  <li>
    <Link to={`${paths.test(test.id)}#${SINCE_PANEL}`}>
      {test.title}
      {test.browser && ` (${test.browser})`}
    </Link>
    <span>
      {children}; <Time value={since} />
    </span>
  </li>
);

const Since = ({ cluster: { life, firstSeen, failures, runs, assignee } }: { readonly cluster: Cluster }) => (
  <span>
    {life.state === 'returned' ? (
      <>back after {countOf(life.returnedAfter!, 'run')} without it</>
    ) : (
      <>
        since <Time value={firstSeen!.startTime} />
      </>
    )}
    , {countOf(failures, 'failure')} in {countOf(runs, 'run')}
    {assignee && `, assigned to ${assignee}`}
  </span>
);
