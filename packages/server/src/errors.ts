import { type ErrorCode, type Issue, errorStatus } from '@assay/contract';

/** What a request may fail with; everything else that is thrown is a fault of ours. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly issues: readonly Issue[] | undefined;

  constructor(code: ErrorCode, message: string, issues?: readonly Issue[]) {
    super(message);
    this.code = code;
    this.issues = issues;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}
