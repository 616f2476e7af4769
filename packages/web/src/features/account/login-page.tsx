import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useAddressPart } from '../../address.ts';
import { queryClient, request } from '../../api/client.ts';
import { useService } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { AccountCard } from './account-card.tsx';
import { nextPage } from './next-page.ts';

export const LoginPage = () => {
  const [next] = useAddressPart('next', '/');
  const [, navigate] = useLocation();
  const service = useService();
  const logIn = useMutation({
    mutationFn: (values: FormData) =>
      request('logIn', { body: { username: textOf(values, 'username'), password: textOf(values, 'password') } }),
    async onSuccess() {
      await queryClient.invalidateQueries();
      navigate(nextPage(next), { replace: true });
    },
  });
  if (service.data?.authEnabled === false) {
    return (
      <AccountCard title="No account needed">
        <p>Authentication is disabled: everyone who can reach this service may use all of it.</p>
        <Link to={paths.projects()}>Go to projects</Link>
      </AccountCard>
    );
  }
  return (
    <AccountCard title="Sign in">
      {service.data?.setupNeeded && (
        <p>
          No account exists yet. <Link to={paths.setup()}>Create the first Administrator</Link>.
        </p>
      )}
      <Form onSubmit={(values) => logIn.mutate(values)}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <TextField label="Username" name="username" required autoComplete="username" autoFocus />
        <TextField label="Password" name="password" type="password" required autoComplete="current-password" />
        <Failure error={logIn.error} />
        <Button look="primary" type="submit" disabled={logIn.isPending}>
          {logIn.isPending ? 'Signing in' : 'Sign in'}
        </Button>
      </Form>
      <p>
        <Link to={paths.projects()}>Continue without signing in</Link>
      </p>
    </AccountCard>
  );
};
