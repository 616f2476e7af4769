import type { Role } from '@assay/contract';

export const ROLES: readonly { readonly value: Role; readonly label: string; readonly may: string }[] = [
  { value: 'administrator', label: 'Administrator', may: 'Everything: projects, users, keys, deleting' },
  { value: 'reporter', label: 'Reporter', may: 'Only sends runs; for CI' },
  { value: 'user', label: 'User', may: 'Reads everything, changes nothing' },
];

export const roleLabel = (role: Role): string => ROLES.find(({ value }) => value === role)!.label;
