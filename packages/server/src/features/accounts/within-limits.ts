import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { accountCommands } from './commands.ts';
import type { Attempt, Charge } from './login-limits.ts';

export interface Limited {
  readonly attempt: Attempt;
  setHeader(name: string, value: string): void;
}

/** Makes an attempt that counts, unless there were too many. One that the service could not look at does not count. */
export const withinLimits = async <T>(
  { writer, accounts }: Pick<Context, 'writer' | 'accounts'>,
  { attempt, setHeader }: Limited,
  make: (charges: readonly Charge[]) => Promise<T>,
): Promise<T> => {
  // Before it is counted: counting is a write, which a crowd that cannot be served must not cause.
  accounts.passwords.requireRoom();
  const charged = await writer.execute(accountCommands.chargeAttempt, { attempt });
  if ('waitSeconds' in charged) {
    setHeader('retry-after', String(charged.waitSeconds));
    throw new AppError('too_many_attempts', `Too many attempts; try again in ${charged.waitSeconds} seconds`);
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
