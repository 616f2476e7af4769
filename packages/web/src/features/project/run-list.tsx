import type { WindowQuery } from '@assay/contract';
import { RUN_FIELDS, withStatuses } from '@assay/contract/filter';
import { useCallback, useMemo, useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { countOf, formatCount } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { FilterBox } from '../filter/filter-box.tsx';
import { readText } from '../filter/read-filter.ts';
import { useFilterText } from '../filter/use-filter.ts';
import { FoundRuns, useFoundRuns } from './found-runs.tsx';
import type { OlderRuns } from './project-runs.ts';
import { STATUS_FILTERS, type StatusFilter, ofStatus } from './run-filter.ts';
import { RunHeads, RunRow } from './run-row.tsx';
import type { Run } from './runs.ts';
import styles from './run-list.module.css';

const ROW_HEIGHT = 57;
const FILTER_WORDS: Record<StatusFilter, string> = { all: 'All', failed: 'Failed', flaky: 'Flaky', passed: 'Passed' };

const NO_VALUES = new Map();

/** What is typed, and the latest of it that can be asked. */
const useRunFilter = (runs: readonly Run[]) => {
  const statuses = [...new Set(runs.map(({ status }) => status))].sort().join();
  const catalogue = useMemo(() => withStatuses(RUN_FIELDS, statuses.split(',')), [statuses]);
  const read = useCallback((text: string) => readText(text, catalogue), [catalogue]);
  const state = useFilterText(read);
  const [applied] = useAddressPart('filter', '');
  const [asked, setAsked] = useState('');
  const text = applied.trim();
  if (text !== asked && read(text).ok) setAsked(text);
  return { catalogue, state, asked };
};

interface Props {
  readonly projectId: number;
  /** The chosen branch and days. */
  readonly window: WindowQuery;
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

export const RunList = (props: Props) => {
  const { projectId, window, runs, usual, known, total, older, status, setStatus, onClear } = props;
  const { catalogue, state, asked } = useRunFilter(runs);
  const found = useFoundRuns({ projectId, window, filter: asked });
  const rows = useMemo(() => ofStatus(runs, status), [runs, status]);
  return (
    <Panel
      title="Runs"
      note={
        asked === '' &&
        (rows.length === total ? formatCount(total) : `${formatCount(rows.length)} of ${formatCount(total)}`)
      }
      actions={
        <>
          {asked === '' && rows.length > 0 && (
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
      <div className={styles['filter']}>
        <FilterBox
          label="Filter runs"
          state={state}
          catalogue={catalogue}
          loaded={NO_VALUES}
          examples={catalogue.examples}
        />
      </div>
      {asked !== '' ? (
        <FoundRuns found={found} status={status} rowHeight={ROW_HEIGHT} onClear={() => state.put('')} />
      ) : rows.length > 0 ? (
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
      {asked === '' && <Older older={older} missing={total - known} />}
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
