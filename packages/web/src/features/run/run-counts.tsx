import { outcomeOf, type RunComparison, type RunDetails, type TestCase } from '@assay/contract';
import { useMemo } from 'react';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { countValues } from '../filter/completions.ts';
import { failedTerm } from '../filter/failed-term.ts';
import { type QuickFilter, QuickFilters } from '../filter/quick-filters.tsx';
import { quoteValue } from '../filter/terms.ts';
import type { FilterState } from '../filter/use-filter.ts';
import { CountBar } from '../status/count-bar.tsx';
import { againstDefault } from './against-default.ts';
import { missingShards } from './run-shards.tsx';
import styles from './run-counts.module.css';

interface Props {
  readonly run: RunDetails;
  readonly comparison: RunComparison | undefined;
  readonly state: FilterState;
}

/** The counts of the run, each a filter. */
export const RunCounts = ({ run, comparison, state }: Props) => {
  const failed = useMemo(() => failedTerm(run.testCases.map(({ status }) => status)), [run.testCases]);
  const newFailures = comparison?.failures.filter(({ isNew }) => isNew).length;
  const whole = run.status !== 'running' && missingShards(run) === null;
  const others = useMemo(() => otherStatuses(run.testCases), [run.testCases]);
  const filters: QuickFilter[] = [
    { label: 'Failed', term: failed, look: 'failed', count: run.failedTests },
    ...(run.failedTests > 0 && comparison?.comparedWith
      ? [{ label: 'New failures', term: 'new', count: newFailures }]
      : []),
    { label: 'Flaky', term: 'flaky', look: 'flaky', count: run.flakyTests },
    {
      label: 'Passed',
      // Flaky ones have a count of their own, so that all counts add up to the total.
      term: run.flakyTests > 0 ? '(status:passed -flaky)' : 'status:passed',
      look: 'passed',
      count: Math.max(0, run.passedTests - run.flakyTests),
    },
    { label: 'Skipped', term: 'status:skipped', look: 'skipped', count: run.skippedTests },
    ...others.map(([status, count]) => ({
      label: status,
      term: `status:${quoteValue(status)}`,
      look: 'other' as const,
      count,
    })),
  ];
  return (
    <div className={styles['counts']}>
      <CountBar {...run} />
      <QuickFilters label="Common filters" state={state} filters={filters} total={run.totalTests}>
        {comparison?.comparedWith && (
          <span className={styles['compared']}>
            {comparison.fixed.length > 0 && `${countOf(comparison.fixed.length, 'test')} fixed, `}
            {comparison.addedTests > 0 && `${countOf(comparison.addedTests, 'test')} added, `}
            {whole && comparison.removedTests > 0 && `${countOf(comparison.removedTests, 'test')} gone, `}
            compared with <Link to={paths.run(comparison.comparedWith.id)}>#{comparison.comparedWith.id}</Link>
            {comparison.comparedWith.branch !== null &&
              comparison.comparedWith.branch !== run.branch &&
              ` on ${comparison.comparedWith.branch}`}
          </span>
        )}
      </QuickFilters>
      {run.missingTests !== undefined && (
        <p className={styles['missing']}>
          {formatCount(run.missingTests)} of {countOf(run.totalTests + run.missingTests, 'test')} that were announced
          never came.
        </p>
      )}
      {comparison && againstDefault(comparison) && <p className={styles['compared']}>{againstDefault(comparison)}</p>}
    </div>
  );
};

/** Statuses that count as none of the usual ones. */
const otherStatuses = (cases: readonly TestCase[]) =>
  countValues(cases.flatMap(({ status }) => (outcomeOf(status) === 'other' ? [status] : [])));
