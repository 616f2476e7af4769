import { type ErrorCode, type Issue, errorStatus } from '@assay/contract';

/** What a request may fail with; everything else that is thrown is a fault of ours. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[] | undefined;
  /** When a client should try again; null when that would not help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    message: string,
    issues?: readonly Issue[],
    retryAfterSeconds = code === 'unavailable' ? 1 : null,
  ) {
    super(message);
    this.code = code;
    this.issues = issues;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
