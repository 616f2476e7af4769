import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { type Charge, rememberAddress, refundAttempt } from './login-limits.ts';
import { SESSION_MS } from './session-cookie.ts';
import { subjectOf } from './users.ts';

/** Reporters sign in before each upload. */
const SESSIONS_PER_USER = 200;

export interface NewSession {
  readonly tokenHash: Uint8Array;
  readonly address: string;
  readonly userAgent: string | null;
}

export interface OpenSession {
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

/** The id of the session; null when the user has another password by now, or is gone. */
export const openSession = async (
  transaction: Queries,
  { userId, charges, session, verified, password, actor }: OpenSession,
  now: number,
): Promise<number | null> => {
  const user = await transaction.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (user?.password !== verified) return null;
  await transaction.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await refundAttempt(transaction, charges, now);
  if (password !== null) await transaction.updateTable('users').set({ password }).where('id', '=', userId).execute();
  // Reporters sign in for every upload; recording that would only be noise.
  if (user.role !== 'reporter')
    await audit(transaction, actor, { action: 'session.open', subject: subjectOf(user) }, now);
  return insertSession(transaction, userId, session, now);
};

export const endSession = async (
  transaction: Queries,
  { sessionId, userId, actor }: { readonly sessionId: number; readonly userId: number; readonly actor: Actor },
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

/** For sessions from when the clock was ahead; they last no longer than one that is opened now. */
export const capSessions = async (transaction: Queries, now: number): Promise<void> => {
  const expiresAt = now + SESSION_MS;
  await transaction
    .updateTable('sessions')
    .set({ expires_at: expiresAt })
    .where('expires_at', '>', expiresAt)
    .execute();
};

export const insertSession = async (
  transaction: Queries,
  userId: number,
  { tokenHash, address, userAgent }: NewSession,
  now: number,
): Promise<number> => {
  await rememberAddress(transaction, userId, address, now);
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
