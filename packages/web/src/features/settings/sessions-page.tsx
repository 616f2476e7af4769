import type { Session } from '@assay/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ask, queryClient, request } from '../../api/client.ts';
import { useRights, useSession } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { deviceOf } from './device.ts';
import { OwnAccount } from './own-account.tsx';
import { AuthDisabledNotice, SettingsFrame } from './settings-frame.tsx';
import styles from './settings.module.css';

export const SessionsPage = () => {
  const { authEnabled } = useRights();
  const session = useSession();
  return (
    <SettingsFrame title="Your account">
      <AuthDisabledNotice />
      {session.data?.user && <OwnAccount key={session.data.user.id} user={session.data.user} />}
      {authEnabled ? (
        <Sessions />
      ) : (
        <Empty title="No sessions">
          <p>Nobody signs in while authentication is disabled.</p>
        </Empty>
      )}
    </SettingsFrame>
  );
};

const Sessions = () => {
  const query = useQuery(ask('listSessions', {}));
  const end = useMutation({
    mutationFn: (id: number) => request('endSession', { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const columns: readonly Column<Session>[] = [
    {
      title: 'Device',
      cell: ({ userAgent, current }) => (
        <span className={styles['who']} title={userAgent ?? undefined}>
          <strong>{deviceOf(userAgent)}</strong>
          {current && <span className={styles['you']}>this session</span>}
        </span>
      ),
    },
    { title: 'Address', cell: ({ address }) => <span className={styles['mono']}>{address}</span> },
    { title: 'Signed in', cell: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
    {
      title: 'Actions',
      number: true,
      cell: ({ id, current, userAgent }) => (
        <Button
          small
          disabled={end.isPending}
          onClick={() => end.mutate(id)}
          aria-label={current ? 'Sign out here' : `End the session of ${deviceOf(userAgent)}`}
        >
          {current ? 'Sign out' : 'End'}
        </Button>
      ),
    },
  ];
  return (
    <Loaded query={query}>
      {({ sessions }) => (
        <Panel
          title="Sessions"
          note={countOf(sessions.length, 'session')}
          actions={<CsvButton name="sessions" rows={() => sessions} />}
        >
          <Failure error={end.error} />
          <Table stacked label="Sessions" columns={columns} rows={sessions} keyOf={({ id }) => id} />
        </Panel>
      )}
    </Loaded>
  );
};
