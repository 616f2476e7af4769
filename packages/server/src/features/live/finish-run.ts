import type { RunFinish, SubmissionReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { loosen } from '../parts/loose-runs.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { scheduleSettling } from '../parts/schedule-settling.ts';
import { getPart, requireOpen } from './open-part.ts';

export interface FinishOptions {
  readonly durations: PartDurations;
  readonly quietMs: number;
  readonly now: number;
}

export interface FinishedRun extends SubmissionReply {
  /** It was finished before: nothing was stored. */
  readonly repeated: boolean;
}

export const finishRun = async (
  transaction: Queries,
  runId: number,
  finish: RunFinish,
  { durations, quietMs, now }: FinishOptions,
): Promise<FinishedRun> => {
  const { part, run } = await getPart(transaction, runId, finish.part);
  const reply = { success: true as const, testRunId: run.id, projectId: run.project_id };
  if (part.state === 'finished') return { ...reply, repeated: true };
  requireOpen(part);
  await transaction
    .updateTable('parts')
    .set({
      state: 'finished',
      status: finish.status,
      duration: finish.duration ?? null,
      total_tests: finish.totalTests ?? part.total_tests,
      passed_tests: finish.passedTests ?? part.passed_tests,
      failed_tests: finish.failedTests ?? part.failed_tests,
      skipped_tests: finish.skippedTests ?? part.skipped_tests,
      heard_at: now,
    })
    .where('id', '=', part.id)
    .execute();
  await loosen(transaction, run);
  const parts = await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  await scheduleSettling(transaction, runId, parts, { quietMs, now });
  return { ...reply, repeated: false };
};
