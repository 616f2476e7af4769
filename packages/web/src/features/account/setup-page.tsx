import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { queryClient, request } from '../../api/client.ts';
import { fieldProblems } from '../../api/problem.ts';
import { useService } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { AccountCard } from './account-card.tsx';
import { DisplayNameField, NewPasswordField, UserNameField } from './account-fields.tsx';

export const SetupPage = () => {
  const [, navigate] = useLocation();
  const service = useService();
  const setUp = useMutation({
    mutationFn: (values: FormData) =>
      request('setUp', {
        body: {
          username: textOf(values, 'username').trim(),
          password: textOf(values, 'password'),
          name: textOf(values, 'name').trim() || null,
        },
      }),
    async onSuccess() {
      await queryClient.invalidateQueries();
      navigate(paths.users(), { replace: true });
    },
  });
  const problems = fieldProblems(setUp.error);
  if (service.data && !service.data.setupNeeded) {
    return (
      <AccountCard title="Already set up">
        <p>
          {service.data.authEnabled
            ? 'An Administrator already exists. Add other users in the settings.'
            : 'Authentication is disabled, so no account is needed.'}
        </p>
        <Link to={service.data.authEnabled ? paths.login() : paths.projects()}>
          {service.data.authEnabled ? 'Sign in' : 'Go to projects'}
        </Link>
      </AccountCard>
    );
  }
  return (
    <AccountCard title="Create the first Administrator">
      <p>This account manages users, keys and storage. This page closes once the account exists.</p>
      <Form onSubmit={(values) => setUp.mutate(values)}>
        <UserNameField autoComplete="username" problem={problems['username']} />
        <DisplayNameField autoComplete="name" problem={problems['name']} />
        <NewPasswordField required problem={problems['password']} />
        <Failure error={setUp.error} />
        <Button look="primary" type="submit" disabled={setUp.isPending}>
          Create account
        </Button>
      </Form>
    </AccountCard>
  );
};
