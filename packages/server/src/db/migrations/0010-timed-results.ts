import { randomInt } from 'node:crypto';
import { durationFigures } from '@assay/contract';
import { rebuildSummaries } from '../../history/keep-summaries.ts';
import { BlockError } from '../../segments/block.ts';
import { decodeResults, timedDurations } from '../../segments/results.ts';
import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

const REVISIONS = 2 ** 48 - 1;

/**
 * Skipped results have no part in durations any more: the figures of runs that have such. Summaries are made again, also
 * since they now tell the latest failure.
 */
export const timedResults: Migration = {
  name: 'timed-results',
  async up(queries: Queries) {
    const runs = queries.selectFrom('runs').where('skipped_tests', '>', 0);
    for (const { id } of await runs.select('id').orderBy('id').execute()) await refigure(queries, id);
    const projects = await queries.selectFrom('projects').select(['id', 'next_sequence']).execute();
    for (const { id, next_sequence } of projects) {
      const finalized = queries.selectFrom('runs').where('project_id', '=', id).where('sequence', '>=', 0);
      const sequences = (await finalized.select('sequence').execute()).map(({ sequence }) => sequence);
      await rebuildSummaries(queries, id, sequences, next_sequence);
    }
    // Clients have the answers of before under the revisions of before.
    for (const { id } of projects) {
      await queries
        .updateTable('projects')
        .set({ revision: randomInt(1, REVISIONS) })
        .where('id', '=', id)
        .execute();
    }
  },
};

const refigure = async (queries: Queries, runId: number): Promise<void> => {
  const blocks = await queries.selectFrom('segments').select('results').where('run_id', '=', runId).execute();
  try {
    const durations = blocks.flatMap(({ results }) => {
      const { rows, status, durationMs } = decodeResults(results);
      return timedDurations(rows, { status: status.values, durationMs: durationMs.values });
    });
    const { mean, p90 } = durationFigures(durations);
    await queries
      .updateTable('runs')
      .set({ avg_test_duration: mean, p90_test_duration: p90 })
      .where('id', '=', runId)
      .execute();
  } catch (error) {
    // A damaged run keeps its figures.
    if (!(error instanceof BlockError)) throw error;
  }
};
