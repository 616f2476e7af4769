import type { Role, User } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { fieldProblems } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { DisplayNameField, NewPasswordField, UserNameField } from '../account/account-fields.tsx';
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
    <Dialog title={user ? `Edit ${user.username}` : 'Add user'} onClose={onClose}>
      <Form onSubmit={(values) => save.mutate(values)}>
        {user === null && <UserNameField autoComplete="off" problem={problems['username']} />}
        <DisplayNameField defaultValue={user?.name ?? ''} autoComplete="off" problem={problems['name']} />
        {user === null ? (
          <NewPasswordField required problem={problems['password']} />
        ) : (
          <NewPasswordField
            label="New password"
            hint="Leave empty to keep it. A new one ends all sessions of this user."
            problem={problems['password']}
          />
        )}
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
            {user ? 'Save' : 'Add user'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};
