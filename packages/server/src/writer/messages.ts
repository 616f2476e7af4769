import type { ErrorCode, Issue } from '@assay/contract';
import type { DatabaseAddress } from '../db/database.ts';

/** What goes between the main thread and the one that writes. */
export type ToWriter =
  | { readonly id: number; readonly kind: string; readonly input: unknown }
  | { readonly close: true };

export type FromWriter =
  | { readonly ready: true }
  | { readonly id: number; readonly value: unknown }
  | {
      readonly id: number;
      readonly refused: { code: ErrorCode; message: string; issues: readonly Issue[] | undefined };
    }
  | { readonly id: number; readonly fault: Error };

export interface ThreadData {
  readonly database: DatabaseAddress;
  readonly runQuietMs: number;
}
