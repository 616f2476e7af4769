import { type PastResult, notRunText } from '@assay/contract';
import { memo, useMemo } from 'react';
import { useAddressChoice } from '../../address.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { firstLine } from '../error/error-text.tsx';
import { Revision } from '../revision/revision.tsx';
import { CaseMark } from '../status/status-mark.tsx';
import { RESULT_FILTERS, type ResultFilter, countResults, filterResults } from './results.ts';
import styles from './result-list.module.css';

const ROW_HEIGHT = 37;
const LABELS: Record<ResultFilter, string> = {
  all: 'All',
  failed: 'Failed',
  flaky: 'Flaky',
  passed: 'Passed',
  skipped: 'Skipped',
};

interface Props {
  /** Newest first. */
  readonly results: readonly PastResult[];
  readonly total: number;
  /** Asks for more of them, when there are more. */
  readonly onMore: (() => void) | null;
}

export const ResultList = ({ results, total, onMore }: Props) => {
  const [filter, setFilter] = useAddressChoice('status', RESULT_FILTERS, 'all');
  const counts = useMemo(() => countResults(results), [results]);
  const shown = useMemo(() => filterResults(results, filter), [results, filter]);
  const longest = useMemo(() => results.reduce((most, { duration }) => Math.max(most, duration ?? 0), 1), [results]);
  const options = RESULT_FILTERS.filter((each) => each === 'all' || each === filter || counts[each] > 0).map(
    (each) => ({
      value: each,
      label: `${LABELS[each]} ${formatCount(counts[each])}`,
    }),
  );
  return (
    <Panel
      title="Results"
      note={results.length < total ? `the latest ${formatCount(results.length)} of ${formatCount(total)}` : undefined}
      actions={
        <div className={styles['tools']}>
          {onMore && (
            <Button small onClick={onMore}>
              Show more
            </Button>
          )}
          <Choice label="Which results" value={filter} options={options} onChange={setFilter} />
        </div>
      }
    >
      <div className={classNames(styles['row'], styles['heads'])} aria-hidden="true">
        <span />
        <span>Run</span>
        <span>Branch and commit</span>
        <span>Error</span>
        <span className={styles['end']}>Retries</span>
        <span />
        <span className={styles['end']}>Duration</span>
        <span className={styles['end']}>Started</span>
      </div>
      {shown.length === 0 ? (
        <Empty title={filter === 'all' ? 'No result yet' : `None of these results is ${filter}`} />
      ) : (
        <VirtualRows label="Results" rows={shown} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
          {(result) => <ResultRow result={result} longest={longest} />}
        </VirtualRows>
      )}
    </Panel>
  );
};

const ResultRow = memo(({ result, longest }: { readonly result: PastResult; readonly longest: number }) => {
  const { id, testRunId, status, retries, duration, error, notRun, branch, commit, startTime } = result;
  return (
    <Link to={paths.testCase(id)} className={styles['row']}>
      <CaseMark status={status} retries={retries} />
      <span className={styles['run']}>#{testRunId}</span>
      <span className={styles['revision']}>
        <Revision branch={branch} commit={commit} />
      </span>
      <span className={classNames(styles['error'], error === null && styles['notRun'])}>
        {error === null ? notRun && notRunText(notRun) : firstLine(error)}
      </span>
      <span className={classNames(styles['end'], styles['retries'])}>
        {retries > 0 ? countOf(retries, 'retry', 'retries') : ''}
      </span>
      <span className={styles['bar']} aria-hidden="true">
        <i style={{ width: `${((duration ?? 0) / longest) * 100}%` }} />
      </span>
      <span className={styles['end']}>{formatDuration(duration)}</span>
      <span className={classNames(styles['end'], styles['time'])}>
        <Time value={startTime} />
      </span>
    </Link>
  );
});
