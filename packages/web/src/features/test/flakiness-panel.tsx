import type { FlakyEvidence } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { Panel } from '../../ui/panel.tsx';
import { falseRedsWords } from '../flaky-tests/false-reds.ts';
import { RateRange } from '../flaky-tests/rate-range.tsx';
import type { Repository } from '../revision/repository.ts';
import { Run } from './since-panel.tsx';
import styles from './since-panel.module.css';

interface Props {
  readonly testId: number;
  readonly projectId: number;
  readonly branch: string | null;
  readonly evidence: FlakyEvidence;
  readonly repository: Repository | null;
}

/** How flaky the test is, and what says so. */
export const FlakinessPanel = ({ testId, projectId, branch, evidence, repository }: Props) => {
  const { data } = useQuery(
    ask('listFlakyTests', {
      params: { id: projectId },
      query: { test: testId, ...(branch === null ? {} : { branch }) },
    }),
  );
  const { retriedCount, retried, mixedCount, mixed, aloneCount, alone } = evidence;
  const test = data?.[0];
  if (!test && retriedCount + mixedCount + aloneCount === 0) return null;
  return (
    <Panel title="Flakiness" note={branch === null ? undefined : `on ${branch}`}>
      <ul className={styles['list']}>
        {test && (
          <li>
            <RateRange test={test} />
            <p>Runs that it makes red for no reason: {falseRedsWords(test.model.falseRedsPerWeek)}.</p>
            <details>
              <summary>How this is known</summary>
              <p>
                The rate is estimated from all tests of the project together over the latest 100 runs: most tests are
                never flaky, so one flaky result of three does not mean every third. The true rate is in the range with
                95 % certainty.
              </p>
            </details>
          </li>
        )}
        <Evidence count={retriedCount} words={countOf(retriedCount, 'run') + ' passed only on a retry'}>
          {retried.map((run) => (
            <li key={run.testCaseId}>
              <p>
                <Run run={run} repository={repository} />
              </p>
            </li>
          ))}
        </Evidence>
        <Evidence count={mixedCount} words={`${countOf(mixedCount, 'commit')} on which it both passed and failed`}>
          {mixed.map(({ failed, passed }) => (
            <li key={failed.testCaseId}>
              <p>
                Failed in <Run run={failed} repository={repository} />, passed in{' '}
                <Run run={passed} repository={repository} />
              </p>
            </li>
          ))}
        </Evidence>
        <Evidence
          count={aloneCount}
          words={`${countOf(aloneCount, 'failure')} where the commits tested before and after passed`}
        >
          {alone.map((run) => (
            <li key={run.testCaseId}>
              <p>
                <Run run={run} repository={repository} />
              </p>
            </li>
          ))}
        </Evidence>
      </ul>
    </Panel>
  );
};

interface EvidenceProps {
  readonly count: number;
  readonly words: string;
  readonly children: readonly ReactNode[];
}

const Evidence = ({ count, words, children }: EvidenceProps) =>
  count === 0 ? null : (
    <li>
      <details>
        <summary>{words}</summary>
        <ul className={styles['results']}>
          {children}
          {count > children.length && <li>and {count - children.length} earlier</li>}
        </ul>
      </details>
    </li>
  );
