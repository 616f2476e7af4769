import type { RequestGroup } from '@assay/contract';
import { useMemo } from 'react';
import { useAddressPart } from '../../address.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf, formatCount, formatShare } from '../../format/number.ts';
import { useSort } from '../../sort-address.ts';
import { classNames } from '../../ui/class-names.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SortHead } from '../../ui/sort-head.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { GROUP_COLUMNS, type GroupColumn, findGroups, isText, nameOf, sortGroups, totalsOf } from './groups.ts';
import { RouteRow } from './route-row.tsx';
import styles from './route-row.module.css';

const ROW_HEIGHT = 37;

const HEADS: readonly { readonly column: GroupColumn; readonly label: string }[] = [
  { column: 'method', label: 'Method' },
  { column: 'route', label: 'Route' },
  { column: 'count', label: 'Count' },
  { column: 'average', label: 'Average' },
  { column: 'p90', label: 'P90' },
  { column: 'maximum', label: 'Maximum' },
  { column: 'errors', label: 'Errors' },
];
/** The bars stand behind the count. */
const BEFORE_BARS = 3;

interface Props {
  readonly runId: number;
  readonly groups: readonly RequestGroup[];
}

export const RouteList = ({ runId, groups }: Props) => {
  const [search, setSearch] = useAddressPart('q', '');
  const [{ column, reversed }, setSort] = useSort(GROUP_COLUMNS, 'average');
  const [open, setOpen] = useAddressPart('open', '');
  const totals = useMemo(() => totalsOf(groups), [groups]);
  const shown = useMemo(
    () => sortGroups(findGroups(groups, search), { column, reversed }),
    [groups, search, column, reversed],
  );
  const toggle = (group: RequestGroup): void => setOpen(open === nameOf(group) ? '' : nameOf(group));
  const slowest = groups[0]!;
  const head = ({ column: name, label }: (typeof HEADS)[number]) => (
    <SortHead
      key={name}
      end={!isText(name)}
      sorted={name === column ? (reversed === isText(name) ? 'down' : 'up') : null}
      onSort={() => setSort(name)}
    >
      {label}
    </SortHead>
  );
  return (
    <>
      <Figures>
        <Figure label="Requests" value={formatCount(totals.requests)} note={countOf(groups.length, 'route')} />
        <Figure
          label="Failed"
          value={formatShare(totals.failed / totals.requests)}
          note={`about ${countOf(totals.failed, 'request')}`}
        />
        <Figure label="Slowest average" value={formatDuration(slowest.avgDuration)} note={nameOf(slowest)} />
      </Figures>
      <Panel
        title="Routes"
        note={countOf(shown.length, 'route')}
        actions={
          <>
            {shown.length > 0 && (
              <CsvButton
                name={`run-${runId}-requests`}
                rows={() => shown.map(({ testCases, ...group }) => ({ ...group, tests: testCases.length }))}
              />
            )}
            <SearchField
              label="Search by method or route"
              value={search}
              onChange={(text) => setSearch(text, { replace: true })}
            />
          </>
        }
      >
        <div className={classNames(styles['row'], styles['heads'])}>
          {HEADS.slice(0, BEFORE_BARS).map(head)}
          <span className={styles['legend']}>
            <i /> average <b /> P90
          </span>
          {HEADS.slice(BEFORE_BARS).map(head)}
        </div>
        {shown.length === 0 ? (
          <Empty title="No matching routes" />
        ) : (
          <VirtualRows label="Routes" rows={shown} keyOf={nameOf} rowHeight={ROW_HEIGHT}>
            {(group) => (
              <RouteRow
                group={group}
                runId={runId}
                scaleMs={totals.slowestP90 || 1}
                open={open === nameOf(group)}
                onToggle={() => toggle(group)}
              />
            )}
          </VirtualRows>
        )}
      </Panel>
    </>
  );
};
