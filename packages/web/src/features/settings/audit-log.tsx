import type { AuditEntry } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import styles from './settings.module.css';

const FIRST = 20;
const MOST = 1_000;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Time', cell: ({ time }) => <Time value={time} /> },
  {
    title: 'Actor',
    cell: ({ username, address, action }) =>
      username ?? (address === null ? (action === 'runs.retention' ? 'schedule' : 'command line') : 'not signed in'),
  },
  { title: 'Action', cell: ({ action }) => <span className={styles['mono']}>{action}</span> },
  { title: 'Target', cell: ({ subject }) => subject },
  { title: 'Address', cell: ({ address }) => <span className={styles['mono']}>{address ?? '–'}</span> },
  {
    title: 'Details',
    cell: ({ details }) => <span className={styles['details']}>{details === null ? '' : JSON.stringify(details)}</span>,
  },
];

/** What changed rights or projects, or deleted data. */
export const AuditLog = () => {
  const [limit, setLimit] = useState(FIRST);
  const query = useQuery(ask('listAudit', { query: { limit } }));
  return (
    <Panel
      title="Audit log"
      note="permission changes, changes of projects and deletions, newest first"
      actions={query.data && query.data.length > 0 && <CsvButton name="audit-log" rows={() => query.data} />}
    >
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="Nothing yet" />
          ) : (
            <>
              <Table stacked label="Audit log" columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />
              {entries.length === limit && limit < MOST && (
                <Button look="quiet" onClick={() => setLimit(MOST)}>
                  Show more
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
};
