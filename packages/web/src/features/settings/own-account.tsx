import type { User } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, request } from '../../api/client.ts';
import { fieldProblems } from '../../api/problem.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DisplayNameField, NewPasswordField } from '../account/account-fields.tsx';
import { roleLabel } from './roles.ts';
import styles from './settings.module.css';

/** One's own name and password. */
export const OwnAccount = ({ user }: { readonly user: User }) => {
  const save = useMutation({
    mutationFn: (values: FormData) => {
      const password = textOf(values, 'password');
      const name = textOf(values, 'name').trim() || null;
      const change = password ? { name, password, currentPassword: textOf(values, 'currentPassword') } : { name };
      return request('updateUser', { params: { id: user.id }, body: change });
    },
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const problems = fieldProblems(save.error);
  return (
    <Panel title={user.username} note={roleLabel(user.role)} padded>
      <div className={styles['narrow']}>
        <Form onSubmit={(values) => save.mutate(values)}>
          <DisplayNameField defaultValue={user.name ?? ''} problem={problems['name']} />
          <TextField
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            hint="Only to change the password"
            problem={problems['currentPassword']}
          />
          <NewPasswordField
            label="New password"
            hint="Leave empty to keep it. A new one ends your other sessions."
            problem={problems['password']}
          />
          <Failure error={save.error} />
          {save.isSuccess && <Notice tone="good">Saved</Notice>}
          <div>
            <Button look="primary" type="submit" disabled={save.isPending}>
              Save
            </Button>
          </div>
        </Form>
      </div>
    </Panel>
  );
};
