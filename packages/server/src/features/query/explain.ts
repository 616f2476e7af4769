import type { QueryExplanation } from '@assay/contract';
import { printFilter } from '@assay/contract/filter-sql';
import type { Queries } from '../../db/database.ts';
import type { QueryFilter } from './question.ts';
import type { LookedAt } from './scan-runs.ts';
import type { Selection } from './select-results.ts';

const RUNS_PER_QUERY = 500;

/** How results were found. */
export const explainScan = async (
  queries: Queries,
  filter: QueryFilter,
  { conditions }: Selection,
  { runIds, skippedRuns, rows }: LookedAt,
): Promise<QueryExplanation> => ({
  filter: printFilter(filter.tree),
  sql: null,
  residual: null,
  conditions: conditions.map(({ text, reads, asked }) => ({ text, reads: [...reads], asked })),
  runs: runIds.length,
  skippedRuns,
  blocks: await countBlocks(queries, runIds),
  rows,
});

const countBlocks = async (queries: Queries, runIds: readonly number[]): Promise<number> => {
  let blocks = 0;
  for (let start = 0; start < runIds.length; start += RUNS_PER_QUERY) {
    const { count } = await queries
      .selectFrom('segments')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('run_id', 'in', runIds.slice(start, start + RUNS_PER_QUERY))
      .executeTakeFirstOrThrow();
    blocks += count;
  }
  return blocks;
};

/** How the database and memory found runs or tests. */
export const explainSql = (
  filter: QueryFilter,
  asked: { readonly sql: string; readonly parameters: readonly unknown[] },
  rows: number,
): QueryExplanation => {
  const residual = filter.sql?.residual ?? null;
  return {
    filter: printFilter(filter.tree),
    sql: { text: asked.sql, params: [...asked.parameters] },
    residual: residual && printFilter(residual),
    conditions: [],
    runs: 0,
    skippedRuns: 0,
    blocks: 0,
    rows,
  };
};
