import type { Role, User } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { type NewSession, insertSession } from './change-sessions.ts';
import { getUserRow, presentUser, subjectOf, usernameKey } from './users.ts';

export interface NewUser {
  readonly username: string;
  readonly name: string | null;
  readonly role: Role;
  /** Hashed already. */
  readonly password: string;
}

export interface UpdateUser {
  readonly userId: number;
  readonly edit: {
    readonly name?: string | null | undefined;
    readonly role?: Role | undefined;
    readonly password?: string | undefined;
  };
  /** Opened in the place of those that the change ends. */
  readonly session: NewSession | null;
  readonly actor: Actor;
}

export const setUp = async (
  transaction: Queries,
  { user, session, actor }: { readonly user: NewUser; readonly session: NewSession; readonly actor: Actor },
  now: number,
): Promise<{ readonly user: User; readonly sessionId: number }> => {
  await requireNoUsers(transaction);
  const row = await insertUser(transaction, user, now);
  const by = { ...actor, userId: row.id, username: row.username };
  await audit(transaction, by, { action: 'setup', subject: subjectOf(row) }, now);
  return { user: presentUser(row), sessionId: await insertSession(transaction, row.id, session, now) };
};

export const requireNoUsers = async (queries: Queries): Promise<void> => {
  const existing = await queries.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (!existing) return;
  throw new AppError('setup_done', 'There is an Administrator already; sign in, or ask them for an account');
};

export const createUser = async (
  transaction: Queries,
  { user, actor }: { readonly user: NewUser; readonly actor: Actor },
  now: number,
): Promise<User> => {
  const taken = await transaction
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(user.username))
    .executeTakeFirst();
  if (taken) {
    const message = 'is taken by another user';
    throw new AppError('username_taken', `username ${message}`, [{ path: '/username', message }]);
  }
  const row = await insertUser(transaction, user, now);
  await audit(transaction, actor, { action: 'user.create', subject: subjectOf(row), details: { role: row.role } }, now);
  return presentUser(row);
};

export const updateUser = async (
  transaction: Queries,
  { userId, edit, session, actor }: UpdateUser,
  now: number,
): Promise<{ readonly user: User; readonly sessionId: number | null }> => {
  const before = await getUserRow(transaction, userId);
  const demoted = edit.role !== undefined && edit.role !== before.role;
  if (demoted && before.role === 'administrator') await refuseLastAdministrator(transaction, userId);
  const row = await transaction
    .updateTable('users')
    .set({
      name: edit.name === undefined ? before.name : edit.name?.trim() || null,
      role: edit.role ?? before.role,
      password: edit.password ?? before.password,
    })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const details = {
    ...(row.name === before.name ? {} : { name: row.name }),
    ...(demoted ? { role: row.role, roleBefore: before.role } : {}),
    ...(edit.password === undefined ? {} : { password: 'changed' }),
  };
  if (Object.keys(details).length > 0) {
    await audit(transaction, actor, { action: 'user.update', subject: subjectOf(row), details }, now);
  }
  if (edit.password === undefined && !demoted) return { user: presentUser(row), sessionId: null };
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
  if (edit.password !== undefined) {
    await transaction.deleteFrom('known_addresses').where('user_id', '=', userId).execute();
  }
  return {
    user: presentUser(row),
    sessionId: session ? await insertSession(transaction, userId, session, now) : null,
  };
};

export const deleteUser = async (
  transaction: Queries,
  { userId, actor }: { readonly userId: number; readonly actor: Actor },
  now: number,
): Promise<void> => {
  const row = await getUserRow(transaction, userId);
  if (row.role === 'administrator') await refuseLastAdministrator(transaction, userId);
  for (const table of ['sessions', 'api_keys', 'known_addresses'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  // What they shared stays for the others.
  await transaction.deleteFrom('saved_views').where('user_id', '=', userId).where('is_shared', '=', 0).execute();
  await transaction.updateTable('saved_views').set({ user_id: null }).where('user_id', '=', userId).execute();
  await transaction.deleteFrom('users').where('id', '=', userId).execute();
  await audit(transaction, actor, { action: 'user.delete', subject: subjectOf(row), details: { role: row.role } }, now);
};

const refuseLastAdministrator = async (transaction: Queries, userId: number): Promise<void> => {
  const another = await transaction
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  if (!another) {
    throw new AppError('last_administrator', 'This is the last Administrator; make another user one first');
  }
};

const insertUser = (transaction: Queries, user: NewUser, now: number): Promise<UserRow> =>
  transaction
    .insertInto('users')
    .values({
      ...user,
      name: user.name?.trim() || null,
      username_key: usernameKey(user.username),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
