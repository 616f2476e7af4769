import type { ApiKey, User } from '@assay/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddressPart } from '../../address.ts';
import { ask, queryClient, request } from '../../api/client.ts';
import { useRights, useSession } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/clock.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { roleLabel } from './roles.ts';
import { AuthDisabledNotice, SettingsFrame } from './settings-frame.tsx';
import styles from './settings.module.css';

export const KeysPage = () => {
  const query = useQuery(ask('listUsers', {}));
  const session = useSession();
  const [chosen, setChosen] = useAddressPart('user', '');
  const users = query.data?.users ?? [];
  const user =
    users.find(({ id }) => String(id) === chosen) ?? users.find(({ id }) => id === session.data?.user?.id) ?? users[0];
  if (user) return <KeysOf user={user} users={users} onChoose={(id) => setChosen(id)} />;
  return (
    <SettingsFrame title="API keys">
      <AuthDisabledNotice />
      <Loaded query={query}>
        {() => (
          <Empty title="Keys belong to users, and there are none yet">
            <p>
              <Link to={paths.users()}>Add a Reporter</Link> for CI, then create a key for it.
            </p>
          </Empty>
        )}
      </Loaded>
    </SettingsFrame>
  );
};

interface KeysProps {
  readonly user: User;
  readonly users: readonly User[];
  readonly onChoose: (id: string) => void;
}

const KeysOf = ({ user, users, onChoose }: KeysProps) => {
  const query = useQuery(ask('listApiKeys', { params: { id: user.id } }));
  const { administrator } = useRights();
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <SettingsFrame
      title="API keys"
      actions={
        administrator && (
          <Button look="primary" onClick={() => setAdding(true)}>
            Create a key for {user.username}
          </Button>
        )
      }
    >
      <AuthDisabledNotice />
      {users.length > 1 && (
        <div className={styles['narrow']}>
          <SelectField label="User" value={user.id} onChange={(event) => onChoose(event.target.value)}>
            {users.map(({ id, username, role }) => (
              <option key={id} value={id}>
                {username} ({roleLabel(role)})
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <Loaded query={query}>
        {({ apiKeys }) => (
          <Panel
            title={`API keys of ${user.username}`}
            note={countOf(apiKeys.length, 'key')}
            actions={apiKeys.length > 0 && <CsvButton name="api-keys" rows={() => apiKeys} />}
          >
            <KeyList keys={apiKeys} onRevoke={setRevoking} />
          </Panel>
        )}
      </Loaded>
      {adding && <KeyDialog user={user} onClose={() => setAdding(false)} />}
      {revoking && <RevokeKey user={user} apiKey={revoking} onClose={() => setRevoking(null)} />}
    </SettingsFrame>
  );
};

const KeyList = ({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) => {
  const now = useNow();
  if (keys.length === 0) {
    return (
      <Empty title="No keys">
        <p>
          A key lets CI submit runs without a password. It gives access to the submission endpoints and nothing else.
        </p>
      </Empty>
    );
  }
  const columns: readonly Column<ApiKey>[] = [
    { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { title: 'Prefix', cell: ({ keyPrefix }) => <span className={styles['mono']}>pd_{keyPrefix}…</span> },
    { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : 'never') },
    {
      title: 'Expires',
      cell: ({ expiresAt }) => {
        if (expiresAt === null) return 'never';
        const ended = new Date(expiresAt) < now;
        return (
          <span className={ended ? styles['expired'] : undefined}>
            {ended && 'ended '}
            <Time value={expiresAt} />
          </span>
        );
      },
    },
    {
      title: 'Actions',
      number: true,
      cell: (key) => (
        <Button small onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ),
    },
  ];
  return <Table stacked label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
};

const RevokeKey = ({ user, apiKey, onClose }: { user: User; apiKey: ApiKey; onClose: () => void }) => {
  const revoke = useMutation({
    mutationFn: () => request('revokeApiKey', { params: { id: user.id, keyId: apiKey.id } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['listApiKeys'] });
      onClose();
    },
  });
  return (
    <Confirm
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Submissions with this key are rejected from now on.
    </Confirm>
  );
};
