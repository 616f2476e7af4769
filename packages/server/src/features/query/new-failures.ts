import { COMPARED_RUNS } from '@assay/contract';
import type { Context } from '../../context.ts';
import { readRuns } from '../../history/read-runs.ts';
import { weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { nextTurn } from '../../turns.ts';
import { findBaseline } from '../runs/baseline.ts';
import { listComparedRuns } from '../runs/compare-run.ts';
import { addEarlierRun, startFailureRows } from '../runs/failure-rows.ts';
import { findRun } from '../runs/queries.ts';

/** The rows of a run that failed and had not failed before, as its comparison says; none without a run to compare with. */
export const findNewFailures = async (
  { queries, segments }: Pick<Context, 'queries' | 'segments'>,
  runId: number,
  results: Results,
): Promise<ReadonlySet<number>> => {
  const found = await findRun(queries, runId);
  const earlier = found ? await listComparedRuns(queries, found.run, await findBaseline(queries, found.run)) : [];
  const fresh = new Set<number>();
  if (earlier.length === 0) return fresh;
  const rows = await startFailureRows(results);
  const failed = rows.tests.ids.flatMap((_, test) => (rows.weight[test] === weights.failed ? test : []));
  for await (const { index, results: past } of readRuns(segments, earlier.slice(0, COMPARED_RUNS), nextTurn)) {
    if (past) await addEarlierRun(rows, index, past);
    // Older runs cannot change whether it had failed the last time before.
    if (failed.every((test) => rows.ended[test] === 1 || rows.failedRuns[test]! > 0)) break;
  }
  for (const test of failed) if (rows.failedRuns[test] === 0) fresh.add(rows.row[test]!);
  return fresh;
};
