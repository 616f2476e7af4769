import type { RunComparison, RunDetails } from '@assay/contract';
import { useMemo } from 'react';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Fold } from '../../ui/fold.tsx';
import { Link } from '../../ui/link.tsx';
import { MiddleText } from '../../ui/middle-text.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import type { FilterState } from '../filter/use-filter.ts';
import { FileList } from './file-list.tsx';
import type { Result } from './result-fields.ts';
import { statusByFile } from './result-rows.ts';
import { type Fact, factsOf } from './run-facts.ts';
import { RunReports } from './run-reports.tsx';
import { RunShards } from './run-shards.tsx';
import styles from './run-aside.module.css';

interface Props {
  readonly run: RunDetails;
  readonly comparison: RunComparison | undefined;
  readonly results: readonly Result[];
  readonly state: FilterState;
}

/** What is beside the results: files, what was fixed, reports, what the run says of itself. */
export const RunAside = ({ run, comparison, results, state }: Props) => {
  const files = useMemo(() => statusByFile(results), [results]);
  const facts = useMemo(() => factsOf(run.metadata), [run.metadata]);
  const fixed = comparison?.fixed ?? [];
  return (
    <aside className={styles['aside']} aria-label="Run details">
      {run.reports.length > 0 && <RunReports run={run} />}
      {run.shards && (run.shards.total > 1 || run.shards.parts.length > 1) && <RunShards shards={run.shards} />}
      <Fold title="Status by file" note={formatCount(files.length)}>
        <FileList files={files} state={state} />
      </Fold>
      {fixed.length > 0 && (
        <Fold title="Fixed in this run" note={formatCount(fixed.length)}>
          <ul className={styles['list']}>
            {fixed.map(({ testCaseId, title, filePath, failedRuns }) => (
              <li key={testCaseId}>
                <Link to={paths.testCase(testCaseId)}>
                  <MiddleText text={title} tail={18} />
                </Link>
                <small title={filePath}>had failed in {countOf(failedRuns, 'run')}</small>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {facts.length > 0 && (
        <Fold title="Metadata" note={formatCount(facts.length)}>
          <dl className={styles['facts']}>
            {facts.map((fact, at) => (
              <div key={at}>
                <dt>{fact.label || 'value'}</dt>
                <dd>
                  <FactText {...fact} />
                </dd>
              </div>
            ))}
          </dl>
        </Fold>
      )}
    </aside>
  );
};

const FactText = ({ text, href }: Fact) => <OutsideLink href={href}>{text}</OutsideLink>;
