import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { RunOutlinesTable } from '../../db/tables.ts';
import { openUncached } from '../../history/keep-summaries.ts';
import {
  OUTLINE_FORMAT,
  type PackedOutline,
  RUNS_PER_PACK,
  packOutlines,
  unpackOutlines,
} from '../../segments/outline-pack.ts';
import { buildOutline } from '../../segments/outline.ts';

/** The outlines of spans whose runs have changed since they were made, as far as they were found. */
export interface OutlinesFound {
  readonly packs: readonly RunOutlinesTable[];
  /** Spans that have no runs any more. */
  readonly empty: readonly { readonly project_id: number; readonly span: number }[];
  /** Projects that are not done yet. */
  readonly left: readonly number[];
}

/** What is read before it is stored, so that no transaction is long. */
const MOST_PACKS = 16;
const MOST_RESULTS = 500_000;

/** The outlines that projects lack. */
export const findOutlines = async (queries: Queries, projectIds: readonly number[]): Promise<OutlinesFound> => {
  const packs: RunOutlinesTable[] = [];
  const empty: OutlinesFound['empty'][number][] = [];
  let results = 0;
  for (const [at, projectId] of projectIds.entries()) {
    for (const span of await listEmpty(queries, projectId)) empty.push({ project_id: projectId, span });
    const changed = await listChanged(queries, projectId, MOST_PACKS + 1);
    for (const stamp of changed) {
      if (packs.length >= MOST_PACKS || results >= MOST_RESULTS) return { packs, empty, left: projectIds.slice(at) };
      const { data, count } = await outlineSpan(queries, stamp);
      packs.push({ ...stamp, format: OUTLINE_FORMAT, data });
      results += count;
    }
  }
  return { packs, empty, left: [] };
};

type Stamp = Omit<RunOutlinesTable, 'data' | 'format'>;

/** The newest first: they are asked for most. */
const listChanged = async (queries: Queries, projectId: number, limit: number): Promise<Stamp[]> => {
  const spans = queries
    .selectFrom('runs')
    .where('project_id', '=', projectId)
    .where('sequence', '>=', 0)
    .select([
      'project_id',
      sql<number>`sequence / ${sql.lit(RUNS_PER_PACK)}`.as('span'),
      sql<number>`cast(count(*) as bigint)`.as('runs'),
      sql<number>`cast(sum(id) as bigint)`.as('id_sum'),
      sql<number>`cast(sum(version) as bigint)`.as('version_sum'),
    ])
    .groupBy(['project_id', sql`sequence / ${sql.lit(RUNS_PER_PACK)}`]);
  return queries
    .selectFrom(spans.as('now'))
    .leftJoin('run_outlines as kept', (join) =>
      join
        .onRef('kept.project_id', '=', 'now.project_id')
        .onRef('kept.span', '=', 'now.span')
        .onRef('kept.runs', '=', 'now.runs')
        .onRef('kept.id_sum', '=', 'now.id_sum')
        .onRef('kept.version_sum', '=', 'now.version_sum')
        .on('kept.format', '=', OUTLINE_FORMAT),
    )
    .where('kept.span', 'is', null)
    .select(['now.project_id', 'now.span', 'now.runs', 'now.id_sum', 'now.version_sum'])
    .orderBy('now.span', 'desc')
    .limit(limit)
    .execute();
};

const listEmpty = async (queries: Queries, projectId: number): Promise<number[]> => {
  const rows = await queries
    .selectFrom('run_outlines as kept')
    .select('kept.span')
    .where('kept.project_id', '=', projectId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('runs')
            .select('runs.id')
            .where('runs.project_id', '=', projectId)
            .where('runs.sequence', '>=', sql<number>`kept.span * ${sql.lit(RUNS_PER_PACK)}`)
            .where('runs.sequence', '<', sql<number>`(kept.span + 1) * ${sql.lit(RUNS_PER_PACK)}`),
        ),
      ),
    )
    .execute();
  return rows.map(({ span }) => span);
};

/** Those of runs that have not changed stay as they are. */
const outlineSpan = async (
  queries: Queries,
  { project_id, span }: Stamp,
): Promise<{ readonly data: Uint8Array; readonly count: number }> => {
  const runs = await queries
    .selectFrom('runs')
    .select(['id', 'version', 'result_count'])
    .where('project_id', '=', project_id)
    .where('sequence', '>=', span * RUNS_PER_PACK)
    .where('sequence', '<', (span + 1) * RUNS_PER_PACK)
    .orderBy('sequence')
    .execute();
  const row = await queries
    .selectFrom('run_outlines')
    .select(['format', 'data'])
    .where('project_id', '=', project_id)
    .where('span', '=', span)
    .executeTakeFirst();
  const kept = row?.format === OUTLINE_FORMAT ? unpackOutlines(row.data) : new Map<number, PackedOutline>();
  const segments = openUncached(queries);
  const outlines: PackedOutline[] = [];
  let count = 0;
  for (const run of runs) {
    const known = kept.get(run.id);
    if (known?.version === run.version) {
      outlines.push(known);
      continue;
    }
    // A damaged run has no outline: whoever reads it is told.
    const results = (await segments.results([run])).get(run.id);
    const bytes = results ? await buildOutline(results) : null;
    if (bytes) outlines.push({ runId: run.id, version: run.version, bytes });
    count += run.result_count;
  }
  return { data: packOutlines(outlines), count };
};
