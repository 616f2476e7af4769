import { useMemo } from 'react';
import { countOf, formatCount } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import type { OlderRuns } from './project-runs.ts';
import { STATUS_FILTERS, type StatusFilter, ofStatus } from './run-filter.ts';
import { RunHeads, RunRow } from './run-row.tsx';
import type { Run } from './runs.ts';
import styles from './run-list.module.css';

const ROW_HEIGHT = 57;
const FILTER_WORDS: Record<StatusFilter, string> = { all: 'All', failed: 'Failed', flaky: 'Flaky', passed: 'Passed' };

interface Props {
  /** Those of the chosen branch. */
  readonly runs: readonly Run[];
  readonly usual: ReadonlyMap<number, number>;
  /** Number of runs were looked through, and how many there are. */
  readonly known: number;
  readonly total: number;
  readonly older: OlderRuns;
  readonly status: StatusFilter;
  readonly setStatus: (status: StatusFilter) => void;
  readonly onClear: () => void;
}

export const RunList = ({ runs, usual, known, total, older, status, setStatus, onClear }: Props) => {
  const rows = useMemo(() => ofStatus(runs, status), [runs, status]);
  return (
    <Panel
      title="Runs"
      note={rows.length === total ? formatCount(total) : `${formatCount(rows.length)} of ${formatCount(total)}`}
      actions={
        <>
          {rows.length > 0 && (
            <CsvButton name="runs" rows={() => rows.map(({ reports: _reports, shards: _shards, ...run }) => run)} />
          )}
          <Choice
            label="Status"
            value={status}
            options={STATUS_FILTERS.map((value) => ({ value, label: FILTER_WORDS[value] }))}
            onChange={setStatus}
          />
        </>
      }
    >
      {rows.length > 0 ? (
        <>
          <RunHeads />
          <VirtualRows label="Runs" rows={rows} keyOf={idOf} rowHeight={ROW_HEIGHT}>
            {(run) => <RunRow run={run} usual={usual.get(run.id)} />}
          </VirtualRows>
        </>
      ) : (
        <Empty title="No runs match these filters">
          {known < total && (
            <p>
              Of {formatCount(total)} runs the latest {formatCount(known)} were looked at.
            </p>
          )}
          <Button onClick={onClear}>Show all runs</Button>
        </Empty>
      )}
      <Older older={older} missing={total - known} />
    </Panel>
  );
};

const idOf = ({ id }: Run): number => id;

const Older = ({ older: { state, load }, missing }: { readonly older: OlderRuns; readonly missing: number }) => {
  if (state === 'none' || missing <= 0) return null;
  return (
    <div className={styles['older']}>
      {state === 'loading' && 'Loading older runs…'}
      {state === 'failed' && <>Could not load older runs. </>}
      {state !== 'loading' && (
        <Button small onClick={load}>
          {state === 'failed' ? 'Try again' : `Show older runs (${countOf(missing, 'more', 'more')})`}
        </Button>
      )}
    </div>
  );
};
