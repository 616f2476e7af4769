import { createHash } from 'node:crypto';
import type { Submission } from '@assay/contract';
import type { Delivery } from '../delivery/delivery.ts';

/** A run of the past that is read when its turn has come. */
export interface HistoryRun {
  /** The same each time that the same past is imported. */
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  load(): Promise<LoadedRun>;
}

export type LoadedRun =
  | { readonly ok: true; readonly deliveries: readonly Delivery[]; readonly warnings: readonly string[] }
  /** Not a report, or one that cannot be read. */
  | { readonly ok: false; readonly why: string };

/** What was imported before is recognised by its content, also by a service that is asked from another machine. */
export const deliveryOf = (
  submission: Submission,
  files: Pick<Delivery, 'reports' | 'traces' | 'attachments'> = { reports: [], traces: [], attachments: [] },
): Delivery => {
  const { projectName, startTime, status, testCases, runKey, shard } = submission;
  const content = JSON.stringify([projectName, startTime, status, runKey, shard, testCases]);
  return { submission, idempotencyKey: `history-${hashOf(content)}`, ...files };
};

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);
