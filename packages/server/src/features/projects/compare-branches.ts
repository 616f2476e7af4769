import { type AgainstDefault, MOST_COMPARED_BRANCHES } from '@assay/contract';
import type { Context } from '../../context.ts';
import { weights } from '../../segments/letters.ts';
import type { ReadableRun, SegmentStore } from '../../segments/store.ts';
import { nextTurn } from '../../turns.ts';
import { type Baseline, findBaseline } from '../runs/baseline.ts';
import { addEarlierRun, startFailureRows } from '../runs/failure-rows.ts';
import type { ShownRun } from '../runs/present-run.ts';
import { presentRunRef } from '../runs/run-refs.ts';

/** Results of the runs of branches that one answer reads; what they are compared with may be as many again. */
const MOST_RESULTS = 1_000_000;

/** By run: how the latest runs of branches stand against the default branch, test by test. */
export const compareBranches = async (
  { queries, segments }: Pick<Context, 'queries' | 'segments'>,
  latest: readonly ShownRun[],
  startLargeRead: (rows: number) => Promise<void>,
): Promise<ReadonlyMap<number, AgainstDefault>> => {
  const pairs: { run: ShownRun; baseline: Baseline }[] = [];
  let rows = 0;
  for (const run of latest.slice(0, MOST_COMPARED_BRANCHES)) {
    if (run.status === 'running' || rows + run.result_count > MOST_RESULTS) continue;
    const baseline = await findBaseline(queries, run, 1);
    if (baseline === null) continue;
    rows += run.result_count;
    pairs.push({ run, baseline });
  }
  await startLargeRead(rows);
  const found = new Map<number, AgainstDefault>();
  for (const { run, baseline } of pairs) {
    const [main] = baseline.runs as [Baseline['runs'][number]];
    const counts = await compareTwo(segments, run, main);
    if (counts) found.set(run.id, { run: presentRunRef(main), by: baseline.by, ...counts });
    await nextTurn();
  }
  return found;
};

const compareTwo = async (
  segments: SegmentStore,
  run: ReadableRun,
  main: ReadableRun,
): Promise<Pick<AgainstDefault, 'newHere' | 'alsoFailing' | 'fixedHere'> | null> => {
  const found = await segments.results([run, main]);
  const [own, there] = [found.get(run.id), found.get(main.id)];
  if (!own || !there) return null;
  const rows = await startFailureRows(own);
  const { weight: onMain } = await addEarlierRun(rows, 0, there);
  const counts = { newHere: 0, alsoFailing: 0, fixedHere: 0 };
  for (const [test, weight] of rows.weight.entries()) {
    const failsThere = onMain[test] === weights.failed;
    if (weight === weights.failed) counts[failsThere ? 'alsoFailing' : 'newHere']++;
    else if (failsThere && (weight === weights.passed || weight === weights.flaky)) counts.fixedHere++;
  }
  return counts;
};
