import { type CauseTests, MOST_CAUSE_TEST_RESULTS } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { TestName } from '../status/test-name.tsx';
import type { ChosenWindow } from '../window/window.ts';
import styles from './causes-page.module.css';

interface Props {
  readonly projectId: number;
  readonly cause: string;
  readonly chosen: ChosenWindow;
}

/** Every failure of one cause in the chosen branch and days: its tests with the results that have it. */
export const CauseFailures = ({ projectId, cause, chosen }: Props) => {
  const query = useQuery(ask('listCauseTests', { params: { id: projectId }, query: { ...chosen.query, cause } }));
  return (
    <Loaded query={query} rows={2}>
      {(found) => (
        <div className={styles['failures']}>
          <h3>
            {countOf(found.totalFailures, 'failure')} of {countOf(found.totalTests, 'test')}: {chosen.words}
          </h3>
          <FailedTests found={found} />
        </div>
      )}
    </Loaded>
  );
};

/** The tests that failed, with the results. */
export const FailedTests = ({ found: { tests, totalTests } }: { readonly found: CauseTests }) => (
  <>
    <ul className={styles['tests']} aria-label="Failures of this cause">
      {tests.map(({ failures, results, ...test }) => (
        <li key={test.id}>
          <TestName test={test} />
          <span className={styles['results']}>
            {results.map(({ id, testCaseId }) => (
              <Link key={testCaseId} to={paths.testCase(testCaseId)}>
                #{id}
              </Link>
            ))}
            {failures > MOST_CAUSE_TEST_RESULTS && (
              <span>and {formatCount(failures - MOST_CAUSE_TEST_RESULTS)} before</span>
            )}
          </span>
        </li>
      ))}
    </ul>
    {totalTests > tests.length && (
      <p>
        The {formatCount(tests.length)} that failed most often of {formatCount(totalTests)} tests
      </p>
    )}
  </>
);
