import { AppError } from '../errors.ts';

/** Codes of PostgreSQL, by what they mean to us. */
const TRY_AGAIN = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: another process stored the same meanwhile, and is found the next time
]);
const AWAY = /^(?:08|53(?!100)|57|58|25006|55P03|3D000|28)/;
const DISK_FULL = '53100';
const CONNECTION_LOST =
  /connection terminated|connection error|connection timeout|timeout exceeded when trying to connect|not queryable|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|Query read timeout/i;

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Whether a table has got columns since a statement was prepared: this connection cannot execute that one again. */
export const isPlanOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' && /cached plan/.test((error as Error).message);

/** Whether the same transaction may succeed when it is done once more. */
export const mayBeTriedAgain = (error: unknown): boolean => TRY_AGAIN.has(codeOf(error)) || isPlanOutdated(error);

/** Whether the connection broke, so that it is not known what became of the last statement. */
export const isConnectionLost = (error: unknown): boolean =>
  /^(?:08|57P0[123])/.test(codeOf(error)) || CONNECTION_LOST.test(`${codeOf(error)} ${String(error)}`);

/** What a client is told when it is not to blame; errors of our own statements stay what they are. */
export const explainError = (error: unknown): unknown => {
  if (error instanceof AppError) return error;
  if (codeOf(error) === DISK_FULL) {
    return Object.assign(new AppError('storage_full', 'The disk of the database is full'), { cause: error });
  }
  if (AWAY.test(codeOf(error)) || isConnectionLost(error)) {
    return Object.assign(new AppError('unavailable', 'The database cannot be reached right now; try again shortly'), {
      cause: error,
    });
  }
  return error;
};
