import type { User } from '@assay/contract';
import type { UserRow } from '../../db/tables.ts';

/** Names that look alike are one name: nobody may pass for somebody else by a capital letter. */
export const usernameKey = (username: string): string => username.normalize('NFKC').toLowerCase();

export const presentUser = ({
  id,
  username,
  role,
  name,
}: Pick<UserRow, 'id' | 'username' | 'role' | 'name'>): User => ({
  id,
  username,
  role,
  name,
});
