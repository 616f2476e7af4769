import type { User } from '@assay/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { countOf } from '../../format/number.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { CsvButton } from '../csv/csv-button.tsx';
import { DeleteUser } from './delete-user.tsx';
import { roleLabel } from './roles.ts';
import { AuthDisabledNotice, SettingsFrame } from './settings-frame.tsx';
import { UserDialog } from './user-dialog.tsx';
import styles from './settings.module.css';

type Open = { kind: 'add' } | { kind: 'change' | 'delete'; user: User } | null;

export const UsersPage = () => {
  const query = useQuery(ask('listUsers', {}));
  const session = useSession();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const columns: readonly Column<User>[] = [
    {
      title: 'User',
      cell: ({ id, username, name }) => (
        <span className={styles['who']}>
          <strong>{username}</strong>
          {name && <span>{name}</span>}
          {id === session.data?.user?.id && <span className={styles['you']}>you</span>}
        </span>
      ),
    },
    { title: 'Role', cell: ({ role }) => roleLabel(role) },
    {
      title: 'Actions',
      number: true,
      cell: (user) => (
        <span className={styles['actions']}>
          <Link to={paths.keys({ user: String(user.id) })}>Keys</Link>
          <Button small onClick={() => setOpen({ kind: 'change', user })} aria-label={`Edit ${user.username}`}>
            Edit
          </Button>
          <Button small onClick={() => setOpen({ kind: 'delete', user })} aria-label={`Delete ${user.username}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
  return (
    <SettingsFrame
      title="Users"
      administrators
      actions={
        <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
          Add user
        </Button>
      }
    >
      <AuthDisabledNotice />
      <Loaded query={query}>
        {({ users }) => (
          <Panel
            title="Users"
            note={countOf(users.length, 'user')}
            actions={users.length > 0 && <CsvButton name="users" rows={() => users} />}
          >
            {users.length === 0 ? (
              <Empty title="No users yet">
                <p>Add an Administrator first, then a Reporter for CI.</p>
              </Empty>
            ) : (
              <Table stacked label="Users" columns={columns} rows={users} keyOf={({ id }) => id} />
            )}
          </Panel>
        )}
      </Loaded>
      {open?.kind === 'add' && <UserDialog user={null} onClose={close} />}
      {open?.kind === 'change' && <UserDialog user={open.user} onClose={close} />}
      {open?.kind === 'delete' && <DeleteUser user={open.user} onClose={close} />}
    </SettingsFrame>
  );
};
