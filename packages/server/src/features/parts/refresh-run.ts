import { durationFigures } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';
import { changeInJson } from '../../scm.ts';
import { newRevision } from '../projects/raise-revision.ts';
import { listParts } from '../runs/shards.ts';
import type { PartDurations } from './part-durations.ts';
import { unionOf } from './union.ts';

export interface RefreshOptions {
  readonly durations: PartDurations;
  /** The first index that no result of the run ever had. */
  readonly nextIndex: number;
  readonly now: number;
}

/** Says of a run what its parts make it now. */
export const refreshRun = async (
  transaction: Queries,
  run: Pick<RunRow, 'id' | 'project_id' | 'result_count' | 'version' | 'metadata'>,
  { durations, nextIndex, now }: RefreshOptions,
): Promise<readonly PartRow[]> => {
  const parts = await listParts(transaction, [run.id]);
  const { metadata, ...union } = unionOf(parts);
  const all: number[] = [];
  for (const part of parts) for (const duration of await durations.of(transaction, part)) all.push(duration);
  const { mean, p90 } = durationFigures(all);
  await transaction
    .updateTable('runs')
    .set({
      ...union,
      // It may be large, and it hardly ever changes.
      ...(metadata === run.metadata ? {} : { metadata, ...changeInJson(metadata) }),
      avg_test_duration: mean,
      p90_test_duration: p90,
      next_index: nextIndex,
      version: run.version + 1,
    })
    .where('id', '=', run.id)
    .execute();
  await transaction
    .updateTable('projects')
    .set((row) => ({
      updated_at: now,
      active_at: now,
      revision: newRevision(),
      total_results: row('total_results', '+', union.result_count - run.result_count),
    }))
    .where('id', '=', run.project_id)
    .execute();
  return parts;
};

export const nextIndexOf = ({ next_index, result_count }: Pick<RunRow, 'next_index' | 'result_count'>): number =>
  next_index ?? result_count;
