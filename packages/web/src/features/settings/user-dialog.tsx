import type { Role, User } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { fieldProblems } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { ROLES } from './roles.ts';
import styles from './settings.module.css';

/** Makes a user, or changes one. */
export const UserDialog = ({ user, onClose }: { readonly user: User | null; readonly onClose: () => void }) => {
  const save = useMutation({
    mutationFn: async (values: FormData) => {
      const role = textOf(values, 'role') as Role;
      const name = textOf(values, 'name').trim() || null;
      const password = textOf(values, 'password');
      if (user === null) {
        await request('createUser', { body: { username: textOf(values, 'username').trim(), name, role, password } });
      } else {
        await request('updateUser', {
          params: { id: user.id },
          body: { name, role, ...(password ? { password } : {}) },
        });
      }
    },
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['listUsers'] });
      await queryClient.invalidateQueries({ queryKey: ['getSession'] });
      onClose();
    },
  });
  const problems = fieldProblems(save.error);
  return (
    <Dialog title={user ? `Change ${user.username}` : 'Add a user'} onClose={onClose}>
      <Form onSubmit={(values) => save.mutate(values)}>
        {user === null && (
          <TextField
            label="User name"
            name="username"
            required
            minLength={3}
            maxLength={64}
            autoComplete="off"
            hint="At least 3 characters"
            problem={problems['username']}
          />
        )}
        <TextField
          label="Display name"
          name="name"
          maxLength={200}
          defaultValue={user?.name ?? ''}
          autoComplete="off"
          problem={problems['name']}
        />
        <TextField
          label={user ? 'New password' : 'Password'}
          name="password"
          type="password"
          required={user === null}
          minLength={8}
          maxLength={256}
          autoComplete="new-password"
          hint={user ? 'Leave empty to keep it. A new one ends all sessions of this user.' : 'At least 8 characters'}
          problem={problems['password']}
        />
        <fieldset className={styles['roles']}>
          <legend>Role</legend>
          {ROLES.map(({ value, label, may }) => (
            <label key={value}>
              <input type="radio" name="role" value={value} defaultChecked={value === (user?.role ?? 'user')} />
              {label}
              <small>{may}</small>
            </label>
          ))}
        </fieldset>
        <Failure error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={save.isPending}>
            {user ? 'Save' : 'Add the user'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
