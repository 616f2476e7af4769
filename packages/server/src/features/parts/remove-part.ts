import type { Queries } from '../../db/database.ts';
import type { PartRow } from '../../db/tables.ts';
import { openUncached } from '../../history/keep-summaries.ts';
import { deleteDetails } from '../../segments/block-details.ts';
import { BlockError } from '../../segments/block.ts';
import { decodeResults } from '../../segments/results.ts';
import { readRanges } from '../../segments/row-indices.ts';
import { removePartFiles } from '../files/remove-files.ts';
import { findRun } from '../runs/queries.ts';
import { deleteOrphans } from '../runs/remove-runs.ts';

export interface RemovedPart {
  /** The tests that it had results of. */
  readonly tests: ReadonlySet<number>;
  /** Hashes of the contents that nothing names any more. */
  readonly orphans: readonly string[];
}

/** Removes everything that belongs to a part from its run; the row of the part stays, marked as replaced. */
export const removePart = async (
  transaction: Queries,
  { id, run_id }: Pick<PartRow, 'id' | 'run_id'>,
): Promise<RemovedPart> => {
  const blocks = await transaction
    .deleteFrom('segments')
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .returning(['first_index', 'ranges', 'results'])
    .execute();
  const tests = new Set<number>();
  for (const { first_index: firstIndex, ranges, results } of blocks) {
    for (const testId of testsIn(results)) tests.add(testId);
    await deleteDetails(transaction, { runId: run_id, firstIndex, ranges: readRanges(ranges!) });
  }
  const orphans = await removePartFiles(transaction, run_id, id);
  await transaction.updateTable('parts').set({ state: 'replaced' }).where('id', '=', id).execute();
  return { tests, orphans };
};

/** Tests that only a damaged block had stay until a run of the project is deleted. */
const testsIn = (block: Uint8Array): Iterable<number> => {
  try {
    return decodeResults(block).testId.values;
  } catch (error) {
    if (error instanceof BlockError) return [];
    throw error;
  }
};

/** Removes the tests that only a removed part had, once what took its place is stored. */
export const deleteUnusedTests = async (
  transaction: Queries,
  runId: number,
  removed: ReadonlySet<number>,
): Promise<void> => {
  if (removed.size === 0) return;
  const { run, project } = (await findRun(transaction, runId))!;
  const left = (await openUncached(transaction).results([run])).get(runId);
  const present = new Set(left?.testId.values);
  const unsure = new Set([...removed].filter((test) => !present.has(test)));
  if (unsure.size === 0) return;
  const gone = await deleteOrphans(transaction, project, unsure);
  if (gone === 0) return;
  await transaction
    .updateTable('projects')
    .set((row) => ({ tests_epoch: row('tests_epoch', '+', 1), total_tests: row('total_tests', '-', gone) }))
    .where('id', '=', project.id)
    .execute();
};
