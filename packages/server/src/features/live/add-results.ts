import type { BatchReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { timedDurations } from '../../segments/results.ts';
import type { TestPlaces } from '../ingest/test-places.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { reopenRun } from '../parts/run-numbering.ts';
import { requireRoom, storeBlock } from '../parts/store-block.ts';
import { getOpenPart, recordHeartbeat, heartbeatColumns } from './open-part.ts';
import type { ParsedBatch } from './parse-batch.ts';

export interface AddOptions {
  readonly testPlaces: TestPlaces;
  readonly durations: PartDurations;
  readonly now: number;
}

export interface AddedResults extends BatchReply {
  readonly projectId: number;
  readonly storedResults: number;
  /** Whether anything is to be seen of it. */
  readonly changed: boolean;
}

/** Stores a batch of results, each once and in order. */
export const addResults = async (
  transaction: Queries,
  runId: number,
  { part: partId, batch, cases }: ParsedBatch,
  options: AddOptions,
): Promise<AddedResults> => {
  const { run, part } = await getOpenPart(transaction, runId, partId);
  const { rows } = cases.results;
  if (rows === 0 || batch < part.next_batch) {
    const changed = await recordHeartbeat(transaction, { run, part }, options);
    return reply(run, part.next_batch, 0, changed);
  }
  if (batch > part.next_batch) {
    throw new AppError(
      'batch_missing',
      `The next batch of part ${partId} is ${part.next_batch}, not ${batch}: those between have not arrived`,
    );
  }
  requireRoom(run, rows);
  await reopenRun(transaction, run);
  const firstIndex = nextIndexOf(run);
  // Before the block is there: they may be read from the blocks.
  await options.durations.extend(transaction, part, timedDurations(rows, cases.results.columns));
  await storeBlock(transaction, { projectId: run.project_id, runId, partId, firstIndex }, cases, options.testPlaces);
  const { figures } = cases;
  await transaction
    .updateTable('parts')
    .set({
      ...heartbeatColumns(options.now),
      next_batch: part.next_batch + 1,
      result_count: part.result_count + rows,
      total_tests: part.total_tests + figures.totalTests,
      passed_tests: part.passed_tests + figures.passedTests,
      failed_tests: part.failed_tests + figures.failedTests,
      skipped_tests: part.skipped_tests + figures.skippedTests,
      flaky_tests: part.flaky_tests + figures.flakyTests,
    })
    .where('id', '=', partId)
    .execute();
  await refreshRun(transaction, run, { ...options, nextIndex: firstIndex + rows });
  return reply(run, part.next_batch + 1, rows, true);
};

const reply = (run: RunRow, nextBatch: number, storedResults: number, changed: boolean): AddedResults => ({
  success: true,
  nextBatch,
  projectId: run.project_id,
  storedResults,
  changed,
});
