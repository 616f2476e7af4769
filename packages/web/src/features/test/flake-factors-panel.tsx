import type { FlakeFactor } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { chanceWords, placeOfFactor } from './factor-words.ts';
import styles from './since-panel.module.css';

/** What a flaky test is flaky with more often than without. */
export const FlakeFactorsPanel = ({ testId, branch }: { readonly testId: number; readonly branch: string | null }) => {
  const { data } = useQuery(
    ask('listFlakeFactors', { params: { id: testId }, query: branch === null ? {} : { branch } }),
  );
  if (!data || data.flaky === 0) return null;
  const { results, flaky, tried, factors } = data;
  return (
    <Panel title="Why it is flaky" note={`flaky in ${formatCount(flaky)} of ${countOf(results, 'run')}`}>
      <ul className={styles['list']}>
        {factors.map((factor) => (
          <li key={`${factor.kind} ${factor.testId ?? factor.value}`}>
            <p>
              <Factor factor={factor} />
            </p>
          </li>
        ))}
        <li>
          {factors.length === 0 && (
            <p>
              {tried === 0
                ? 'There are too few results to tell anything from chance.'
                : 'Nothing was found that it is flaky with more often than chance would have it.'}
            </p>
          )}
          <details>
            <summary>How this is known</summary>
            <p>
              Browser, shard, worker, environment, hour, the test right before it on its worker, and other tests that
              are flaky in the same run were looked at, {countOf(tried, 'value')} in all. Each was put to an exact test,
              and so few are told that at most one of 20 is told by chance. What goes with flakiness need not be its
              reason.
            </p>
          </details>
        </li>
      </ul>
    </Panel>
  );
};

const Factor = ({ factor }: { readonly factor: FlakeFactor }) => {
  const { testId, value, flakyWith, runsWith, flakyWithout, runsWithout } = factor;
  const [before, after] = placeOfFactor(factor);
  return (
    <>
      Flaky in {formatCount(flakyWith)} of {countOf(runsWith, 'run')} {before}
      {testId === null ? value : <Link to={paths.test(testId)}>{value}</Link>}
      {after}, in {formatCount(flakyWithout)} of {formatCount(runsWithout)} others ({chanceWords(factor)})
    </>
  );
};
