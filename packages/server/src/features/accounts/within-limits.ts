import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { accountCommands } from './commands.ts';
import type { Attempt, Charge } from './login-limits.ts';

/** Makes an attempt that counts, unless there were too many. One that the service could not look at does not count. */
export const withinLimits = async <T>(
  { writer, accounts }: Pick<Context, 'writer' | 'accounts'>,
  attempt: Attempt,
  make: (charges: readonly Charge[]) => Promise<T>,
): Promise<T> => {
  // Before it is counted: counting is a write, which a crowd that cannot be served must not cause.
  accounts.passwords.requireRoom();
  const charged = await writer.execute(accountCommands.chargeAttempt, { attempt });
  if ('waitSeconds' in charged) {
    const message = `Too many attempts; try again in ${charged.waitSeconds} seconds`;
    throw new AppError('too_many_attempts', message, undefined, charged.waitSeconds);
  }
  try {
    return await make(charged.charges);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) {
      await writer.execute(accountCommands.refundAttempt, { charges: charged.charges }).catch(() => undefined);
    }
    throw error;
  }
};
