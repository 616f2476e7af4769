import type { SubmittedRequest } from '@assay/contract';
import { memo, useMemo } from 'react';
import { useAddressChoice } from '../../address.ts';
import { formatDuration } from '../../format/duration.ts';
import { countOf } from '../../format/number.ts';
import { useSort } from '../../sort-address.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SortHead } from '../../ui/sort-head.tsx';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { LookMark } from '../status/status-mark.tsx';
import { type LaidRequest, REQUEST_COLUMNS, type RequestColumn, layOutRequests, sortRequests } from './requests.ts';
import styles from './requests-panel.module.css';

const ROW_HEIGHT = 33;
const SHOWN = ['all', 'errors'] as const;
/** Those that begin with the largest. */
const DOWN_FIRST: ReadonlySet<RequestColumn> = new Set(['status', 'duration']);

const HEADS: readonly { column: RequestColumn; label: string; end?: boolean }[] = [
  { column: 'method', label: 'Method' },
  { column: 'address', label: 'Address' },
  { column: 'type', label: 'Type' },
  { column: 'status', label: 'Status' },
  { column: 'time', label: 'Time' },
  { column: 'duration', label: 'Duration', end: true },
];

/** The requests that the pages of the test made. */
export const RequestsPanel = ({ requests }: { readonly requests: readonly SubmittedRequest[] }) => {
  const [sort, setSort] = useSort(REQUEST_COLUMNS, 'time');
  const [shown, setShown] = useAddressChoice('requests', SHOWN, 'all');
  const laid = useMemo(() => layOutRequests(requests), [requests]);
  const failed = laid.filter((request) => request.failed).length;
  const { column, reversed } = sort;
  const rows = useMemo(() => {
    const some = shown === 'errors' ? laid.filter((request) => request.failed) : laid;
    return sortRequests(some, { column, reversed });
  }, [laid, shown, column, reversed]);
  return (
    <Panel
      title="Requests"
      note={`${countOf(laid.length, 'request')}, ${failed} failed`}
      actions={
        (failed > 0 || shown === 'errors') && (
          <Button
            small
            aria-pressed={shown === 'errors'}
            onClick={() => setShown(shown === 'errors' ? 'all' : 'errors')}
          >
            Errors only
          </Button>
        )
      }
    >
      <div className={classNames(styles['row'], styles['heads'])}>
        {HEADS.map(({ column: name, label, end }) => (
          <SortHead
            key={name}
            {...(end ? { end } : {})}
            sorted={name !== column ? null : reversed === DOWN_FIRST.has(name) ? 'up' : 'down'}
            onSort={() => setSort(name)}
          >
            {label}
          </SortHead>
        ))}
      </div>
      {rows.length === 0 ? (
        <Empty title="No request failed" />
      ) : (
        <VirtualRows label="Requests" rows={rows} keyOf={({ key }) => key} rowHeight={ROW_HEIGHT}>
          {(request) => <RequestRow request={request} inTime={column === 'time'} />}
        </VirtualRows>
      )}
    </Panel>
  );
};

interface RowProps {
  readonly request: LaidRequest;
  /** Whether bars stand where the request was in time, or all begin at the left to be compared. */
  readonly inTime: boolean;
}

const RequestRow = memo(({ request, inTime }: RowProps) => {
  const { method, host, path, url, status, failed, type, durationMs, from, share, length } = request;
  return (
    <div className={classNames(styles['row'], failed && styles['failed'])}>
      <code className={styles['method']}>{method}</code>
      <span className={styles['address']} title={`${method} ${url}`}>
        <span className={styles['host']}>{host}</span>
        <span className={styles['path']}>{path}</span>
      </span>
      <span className={styles['type']}>{type}</span>
      <span className={styles['status']}>
        {failed && <LookMark look="failed" size={13} label="Failed" />}
        {status}
      </span>
      <span className={styles['lane']} aria-hidden="true">
        <i style={inTime ? { left: `${from * 100}%`, width: `${share * 100}%` } : { width: `${length * 100}%` }} />
      </span>
      <span className={styles['duration']}>{formatDuration(durationMs)}</span>
    </div>
  );
});
