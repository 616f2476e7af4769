import type { NewApiKey, Role, User } from '@assay/contract';
import { formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { type Attempt, type Charge, type Charged, chargeAttempt, knowAddress, takeBack } from './login-limits.ts';
import { SESSION_MS } from './session-cookie.ts';
import { presentUser, usernameKey } from './users.ts';

export interface NewUser {
  readonly username: string;
  readonly name: string | null;
  readonly role: Role;
  /** Hashed already. */
  readonly password: string;
}

export interface NewSession {
  readonly tokenHash: Uint8Array;
  readonly address: string;
  readonly userAgent: string | null;
}

export interface UserEdit {
  readonly name?: string | null | undefined;
  readonly role?: Role | undefined;
  readonly password?: string | undefined;
}

/** Everything that changes accounts. */
export type AccountCommand =
  | { readonly kind: 'setUp'; readonly user: NewUser; readonly session: NewSession; readonly actor: Actor }
  | { readonly kind: 'chargeAttempt'; readonly attempt: Attempt }
  | { readonly kind: 'takeBack'; readonly charges: readonly Charge[] }
  | {
      readonly kind: 'openSession';
      readonly userId: number;
      /** Taken back: it was no guess. */
      readonly charges: readonly Charge[];
      readonly session: NewSession;
      /** What the given password was found to match. */
      readonly verified: string;
      /** In the place of one that took less effort. */
      readonly password: string | null;
      readonly actor: Actor;
    }
  | { readonly kind: 'endSession'; readonly sessionId: number; readonly userId: number; readonly actor: Actor }
  | { readonly kind: 'createUser'; readonly user: NewUser; readonly actor: Actor }
  | {
      readonly kind: 'updateUser';
      readonly userId: number;
      readonly edit: UserEdit;
      /** Opened in the place of those that the change ends. */
      readonly session: NewSession | null;
      readonly actor: Actor;
    }
  | { readonly kind: 'deleteUser'; readonly userId: number; readonly actor: Actor }
  | {
      readonly kind: 'createApiKey';
      readonly userId: number;
      readonly hash: Uint8Array;
      readonly prefix: string;
      readonly name: string;
      readonly expiresAt: number | null;
      readonly actor: Actor;
    }
  | { readonly kind: 'revokeApiKey'; readonly userId: number; readonly keyId: number; readonly actor: Actor }
  | { readonly kind: 'touchApiKey'; readonly keyId: number };

export interface AccountReplies {
  setUp: { readonly user: User; readonly sessionId: number };
  chargeAttempt: Charged;
  takeBack: void;
  /** Null when the user has another password by now, or is gone. */
  openSession: number | null;
  endSession: void;
  createUser: User;
  updateUser: { readonly user: User; readonly sessionId: number | null };
  deleteUser: void;
  createApiKey: Omit<NewApiKey, 'key'>;
  revokeApiKey: void;
  touchApiKey: void;
}

/** Reporters sign in before each upload. */
const SESSIONS_PER_USER = 200;

type Reply<C extends AccountCommand> = Promise<AccountReplies[C['kind']]>;
type Of<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>;

export const carryOut = async (transaction: Queries, command: AccountCommand, now: number): Reply<AccountCommand> => {
  if ('actor' in command) await requireSession(transaction, command.actor, now);
  switch (command.kind) {
    case 'setUp':
      return setUp(transaction, command, now);
    case 'chargeAttempt':
      return chargeAttempt(transaction, command.attempt, now);
    case 'takeBack':
      return takeBack(transaction, command.charges, now);
    case 'openSession':
      return openSession(transaction, command, now);
    case 'endSession':
      return endSession(transaction, command, now);
    case 'createUser':
      return createUser(transaction, command, now);
    case 'updateUser':
      return updateUser(transaction, command, now);
    case 'deleteUser':
      return deleteUser(transaction, command, now);
    case 'createApiKey':
      return createApiKey(transaction, command, now);
    case 'revokeApiKey':
      return revokeApiKey(transaction, command, now);
    case 'touchApiKey':
      return touchApiKey(transaction, command, now);
  }
};

/** Rights may end while a body comes or a password is hashed. A session never outlives the role that it was opened with. */
const requireSession = async (transaction: Queries, { sessionId }: Actor, now: number): Promise<void> => {
  if (sessionId === null) return;
  const session = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!session) throw new AppError('authentication_required', 'The session has ended; sign in again');
};

const setUp = async (transaction: Queries, { user, session, actor }: Of<'setUp'>, now: number): Reply<Of<'setUp'>> => {
  const existing = await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (existing) throw setupDone();
  const row = await insertUser(transaction, user, now);
  const by = { ...actor, userId: row.id, username: row.username };
  await audit(transaction, by, { action: 'setup', subject: subjectOf(row) }, now);
  return { user: presentUser(row), sessionId: await insertSession(transaction, row.id, session, now) };
};

export const setupDone = (): AppError =>
  new AppError('setup_done', 'There is an Administrator already; sign in, or ask them for an account');

const openSession = async (
  transaction: Queries,
  { userId, charges, session, verified, password, actor }: Of<'openSession'>,
  now: number,
): Reply<Of<'openSession'>> => {
  const user = await transaction.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (user?.password !== verified) return null;
  await transaction.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await takeBack(transaction, charges, now);
  if (password !== null) await transaction.updateTable('users').set({ password }).where('id', '=', userId).execute();
  // Reporters sign in for every upload, which tells nobody anything.
  if (user.role !== 'reporter')
    await audit(transaction, actor, { action: 'session.open', subject: subjectOf(user) }, now);
  return insertSession(transaction, userId, session, now);
};

const endSession = async (
  transaction: Queries,
  { sessionId, userId, actor }: Of<'endSession'>,
  now: number,
): Promise<void> => {
  const ended = await transaction
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (!ended) throw new AppError('session_not_found', `You have no session ${sessionId}`);
  await audit(transaction, actor, { action: 'session.end', subject: `session ${sessionId}` }, now);
};

const createUser = async (transaction: Queries, { user, actor }: Of<'createUser'>, now: number): Promise<User> => {
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

const updateUser = async (
  transaction: Queries,
  { userId, edit, session, actor }: Of<'updateUser'>,
  now: number,
): Reply<Of<'updateUser'>> => {
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
    ...(edit.name === undefined ? {} : { name: row.name }),
    ...(demoted ? { role: row.role, roleBefore: before.role } : {}),
    ...(edit.password === undefined ? {} : { password: 'changed' }),
  };
  await audit(transaction, actor, { action: 'user.update', subject: subjectOf(row), details }, now);
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

const deleteUser = async (transaction: Queries, { userId, actor }: Of<'deleteUser'>, now: number): Promise<void> => {
  const row = await getUserRow(transaction, userId);
  if (row.role === 'administrator') await refuseLastAdministrator(transaction, userId);
  for (const table of ['sessions', 'api_keys', 'known_addresses'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  }
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

const createApiKey = async (
  transaction: Queries,
  { userId, hash, prefix, name, expiresAt, actor }: Of<'createApiKey'>,
  now: number,
): Reply<Of<'createApiKey'>> => {
  const user = await getUserRow(transaction, userId);
  const { id } = await transaction
    .insertInto('api_keys')
    .values({ user_id: userId, hash, prefix, name, created_at: now, expires_at: expiresAt, last_used_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = { keyId: id, prefix, name };
  await audit(transaction, actor, { action: 'key.create', subject: subjectOf(user), details }, now);
  return { id, prefix, name, expiresAt: expiresAt === null ? null : formatTime(expiresAt) };
};

const revokeApiKey = async (
  transaction: Queries,
  { userId, keyId, actor }: Of<'revokeApiKey'>,
  now: number,
): Promise<void> => {
  const user = await getUserRow(transaction, userId);
  const key = await transaction
    .deleteFrom('api_keys')
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .returning(['prefix', 'name'])
    .executeTakeFirst();
  if (!key) throw new AppError('api_key_not_found', `User ${userId} has no API key ${keyId}`);
  await audit(transaction, actor, { action: 'key.revoke', subject: subjectOf(user), details: { keyId, ...key } }, now);
};

const touchApiKey = async (transaction: Queries, { keyId }: Of<'touchApiKey'>, now: number): Promise<void> => {
  await transaction.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', keyId).execute();
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

const insertSession = async (
  transaction: Queries,
  userId: number,
  { tokenHash, address, userAgent }: NewSession,
  now: number,
): Promise<number> => {
  await knowAddress(transaction, userId, address, now);
  const { id } = await transaction
    .insertInto('sessions')
    .values({
      user_id: userId,
      token_hash: tokenHash,
      created_at: now,
      expires_at: now + SESSION_MS,
      address,
      user_agent: userAgent,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const latest = transaction
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(SESSIONS_PER_USER);
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'not in', latest).execute();
  return id;
};

const getUserRow = async (transaction: Queries, userId: number): Promise<UserRow> => {
  const row = await transaction.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (!row) throw userNotFound(userId);
  return row;
};

export const userNotFound = (id: number): AppError => new AppError('user_not_found', `There is no user ${id}`);

const subjectOf = ({ id, username }: Pick<UserRow, 'id' | 'username'>): string => `user ${id} (${username})`;
