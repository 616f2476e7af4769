import type { NewApiKey, Role, User } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../audit/audit.ts';
import { createApiKey, revokeApiKey, touchApiKey } from './change-keys.ts';
import { endSession, openSession } from './change-sessions.ts';
import { createUser, deleteUser, setUp, updateUser } from './change-users.ts';
import { type Attempt, type Charge, type Charged, chargeAttempt, refundAttempt } from './login-limits.ts';

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
  | { readonly kind: 'refundAttempt'; readonly charges: readonly Charge[] }
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
  refundAttempt: void;
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

export type Reply<K extends AccountCommand['kind']> = Promise<AccountReplies[K]>;
export type CommandOf<K extends AccountCommand['kind']> = Extract<AccountCommand, { kind: K }>;

export const executeAccountCommand = async (
  transaction: Queries,
  command: AccountCommand,
  now: number,
): Reply<AccountCommand['kind']> => {
  if ('actor' in command) await requireSession(transaction, command.actor, now);
  switch (command.kind) {
    case 'setUp':
      return setUp(transaction, command, now);
    case 'chargeAttempt':
      return chargeAttempt(transaction, command.attempt, now);
    case 'refundAttempt':
      return refundAttempt(transaction, command.charges, now);
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
