import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type StepCommand, transactionCommand } from '../../writer/command.ts';
import type { Actor } from '../audit/audit.ts';
import { createApiKey, revokeApiKey, touchApiKey } from './change-keys.ts';
import { capSessions, endSession, openSession } from './change-sessions.ts';
import { createUser, deleteUser, setUp, updateUser } from './change-users.ts';
import { type Attempt, type Charge, chargeAttempt, refundAttempt } from './login-limits.ts';

/** A command that runs only while the session of its caller is valid. */
const accountCommand = <Input extends { readonly actor: Actor }, Reply>(
  kind: string,
  work: (transaction: Queries, input: Input, now: number) => Promise<Reply>,
): StepCommand<Input, Reply> =>
  transactionCommand(kind, async (transaction, input: Input, { now }) => {
    await requireSession(transaction, input.actor, now);
    return work(transaction, input, now);
  });

/** Everything that changes accounts. */
export const accountCommands = {
  setUp: accountCommand('setUp', setUp),
  openSession: accountCommand('openSession', openSession),
  endSession: accountCommand('endSession', endSession),
  createUser: accountCommand('createUser', createUser),
  updateUser: accountCommand('updateUser', updateUser),
  deleteUser: accountCommand('deleteUser', deleteUser),
  createApiKey: accountCommand('createApiKey', createApiKey),
  revokeApiKey: accountCommand('revokeApiKey', revokeApiKey),
  capSessions: transactionCommand('capSessions', (transaction, _input: object, { now }) =>
    capSessions(transaction, now),
  ),
  touchApiKey: transactionCommand('touchApiKey', (transaction, key: { readonly keyId: number }, { now }) =>
    touchApiKey(transaction, key, now),
  ),
  chargeAttempt: transactionCommand(
    'chargeAttempt',
    (transaction, { attempt }: { readonly attempt: Attempt }, { now }) => chargeAttempt(transaction, attempt, now),
  ),
  refundAttempt: transactionCommand(
    'refundAttempt',
    (transaction, { charges }: { readonly charges: readonly Charge[] }, { now }) =>
      refundAttempt(transaction, charges, now),
  ),
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
