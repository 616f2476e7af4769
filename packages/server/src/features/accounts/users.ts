import type { User } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';

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

export const getUserRow = async (queries: Queries, id: number): Promise<UserRow> => {
  const row = await queries.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('user_not_found', `There is no user ${id}`);
  return row;
};

/** What the audit log calls a user. */
export const subjectOf = ({ id, username }: Pick<UserRow, 'id' | 'username'>): string => `user ${id} (${username})`;
