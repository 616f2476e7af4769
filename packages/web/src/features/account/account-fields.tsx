import type { ComponentProps } from 'react';
import { TextField } from '../../ui/field.tsx';

type Props = Partial<ComponentProps<typeof TextField>>;

export const UserNameField = (props: Props) => (
  <TextField
    label="Username"
    name="username"
    required
    minLength={3}
    maxLength={64}
    hint="At least 3 characters"
    {...props}
  />
);

export const DisplayNameField = (props: Props) => (
  <TextField label="Display name" name="name" maxLength={200} {...props} />
);

export const NewPasswordField = (props: Props) => (
  <TextField
    label="Password"
    name="password"
    type="password"
    minLength={8}
    maxLength={256}
    autoComplete="new-password"
    hint="At least 8 characters"
    {...props}
  />
);
