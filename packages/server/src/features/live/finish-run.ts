import type { RunFinish, SubmissionReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { reopenRun } from '../parts/run-numbering.ts';
import { scheduleFinalizing } from '../parts/schedule-finalizing.ts';
import { joinAttempts } from './join-attempts.ts';
import { getPart, requireOpen } from './open-part.ts';

export interface FinishOptions {
  readonly durations: PartDurations;
  readonly quietMs: number;
  readonly now: number;
}

export interface FinishedRun {
  readonly reply: SubmissionReply;
  /** False when it was finished before. */
  readonly changed: boolean;
}

export const finishRun = async (
  transaction: Queries,
  runId: number,
  finish: RunFinish,
  { durations, quietMs, now }: FinishOptions,
): Promise<FinishedRun> => {
  const { part: sent, run } = await getPart(transaction, runId, finish.part);
  const reply = { success: true, testRunId: run.id, projectId: run.project_id, outcome: 'stored' } as const;
  if (sent.state === 'finished') return { reply, changed: false };
  requireOpen(sent);
  const part = await joinAttempts(transaction, sent, durations);
  // A sender of attempts may count each as a test.
  const countsAttempts = part.result_count < sent.result_count && finish.totalTests === sent.result_count;
  const counts: Partial<RunFinish> = countsAttempts ? {} : finish;
  await transaction
    .updateTable('parts')
    .set({
      state: 'finished',
      status: finish.status,
      duration: finish.duration ?? null,
      total_tests: counts.totalTests ?? part.total_tests,
      passed_tests: counts.passedTests ?? part.passed_tests,
      failed_tests: counts.failedTests ?? part.failed_tests,
      skipped_tests: counts.skippedTests ?? part.skipped_tests,
      heartbeat_at: now,
    })
    .where('id', '=', part.id)
    .execute();
  await reopenRun(transaction, run);
  const parts = await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  await scheduleFinalizing(transaction, run, parts, { quietMs, now });
  return { reply, changed: true };
};
