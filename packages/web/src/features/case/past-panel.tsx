import type { PastResult, TestCaseDetails } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddressPart } from '../../address.ts';
import { ask } from '../../api/client.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { ResultStrip } from '../test/result-strip.tsx';
import { type Past, pastOf, resultsAround } from './past.ts';
import styles from './past-panel.module.css';

const IN_STRIP = 30;
/** Where one looks for a result that is not among the latest. */
const MOST_RESULTS = 1000;

/** The results of this test around this one, on the same branch: those of another say nothing of this one. */
export const PastPanel = ({
  result: { id, testId, testRun, history: ofAll },
}: {
  readonly result: TestCaseDetails;
}) => {
  const { branch } = testRun;
  const ofBranch = branch === null ? {} : { branch };
  const ofThis = (results: readonly PastResult[]) => results.filter((each) => each.branch === branch);
  const isOneBranch = ofAll.every((each) => each.branch === branch);
  const latest = useQuery({
    ...ask('getTest', { params: { id: testId }, query: { ...ofBranch, limit: IN_STRIP } }),
    enabled: !isOneBranch,
  });
  const read = isOneBranch ? ofAll : (latest.data?.results ?? []);
  const history = ofThis(read);
  const recent = history.some((each) => each.id === id);
  const whole = useQuery({
    ...ask('getTest', { params: { id: testId }, query: { ...ofBranch, limit: MOST_RESULTS } }),
    enabled: (isOneBranch || latest.data !== undefined) && !recent,
  });
  const results = recent ? history : ofThis(whole.data?.results ?? history);
  if (results.length < 2) return null;
  const complete = recent ? read.length < IN_STRIP : (whole.data?.results.length ?? MOST_RESULTS) < MOST_RESULTS;
  const past = pastOf(results, id, complete);
  const known = results.some((each) => each.id === id);
  return (
    <Panel
      title={branch === null ? 'History of this test' : `History of this test on ${branch}`}
      note={<PastWords past={past} known={known} complete={complete} />}
      actions={
        known && (
          <nav className={styles['neighbours']} aria-label="Other results of this test">
            <Neighbour result={past.older} label="Older">
              <Icon name="arrowLeft" size={14} /> Older
            </Neighbour>
            <Neighbour result={past.newer} label="Newer">
              Newer <Icon name="arrowRight" size={14} />
            </Neighbour>
          </nav>
        )
      }
    >
      <div className={styles['strip']}>
        <ResultStrip results={known ? resultsAround(results, id, IN_STRIP) : history} current={id} />
      </div>
    </Panel>
  );
};

interface WordsProps {
  readonly past: Past;
  readonly known: boolean;
  readonly complete: boolean;
}

const PastWords = ({ past, known, complete }: WordsProps) => {
  const { failingSince, lastPassed, lastFailed } = past;
  if (!known) return 'This result is older than those shown';
  if (failingSince) {
    const { first, count, beyond } = failingSince;
    return (
      <>
        {count > 1 && (
          <>
            Failing since {beyond && 'at least '}
            <ResultLink result={first} /> ({countOf(count, 'result')}) ·{' '}
          </>
        )}
        {lastPassed ? (
          <>
            {count === 1 && 'Newly failing: '}
            {count === 1 ? 'last passed' : 'Last passed'} in <ResultLink result={lastPassed} />
          </>
        ) : (
          `Never passed ${complete ? 'before' : 'in these results'}`
        )}
      </>
    );
  }
  if (!lastFailed) return complete ? 'No earlier failures' : 'No failures in these results';
  return (
    <>
      Last failed in <ResultLink result={lastFailed} />
    </>
  );
};

const ResultLink = ({ result }: { readonly result: PastResult }) => (
  <>
    <Link to={paths.testCase(result.id)}>#{result.testRunId}</Link>, <Time value={result.startTime} />
  </>
);

interface NeighbourProps {
  readonly result: PastResult | null;
  readonly label: string;
  readonly children: ReactNode;
}

/** Leads to the same part of the other result. */
const Neighbour = ({ result, label, children }: NeighbourProps) => {
  const [tab] = useAddressPart('tab', '');
  return result ? (
    <Link
      to={paths.testCase(result.id, { tab })}
      className={buttonClass({ small: true })}
      aria-label={`${label} result, #${result.testRunId}`}
    >
      {children}
    </Link>
  ) : (
    <button type="button" className={buttonClass({ small: true })} disabled>
      {children}
    </button>
  );
};
