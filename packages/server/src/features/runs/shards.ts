import { type Shards, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';

const RUNS_PER_QUERY = 500;

/** What has arrived of those runs that came in shards. */
export const shardsOf = async (
  queries: Queries,
  runs: readonly Pick<RunRow, 'id' | 'shard_total'>[],
): Promise<Map<number, Shards>> => {
  const inShards = runs.filter((run) => run.shard_total !== null);
  const shards = new Map<number, Shards>();
  for (let start = 0; start < inShards.length; start += RUNS_PER_QUERY) {
    const some = inShards.slice(start, start + RUNS_PER_QUERY);
    const parts = await partsOf(
      queries,
      some.map(({ id }) => id),
    )
      .select(SHOWN_COLUMNS)
      .execute();
    const byRun = Map.groupBy(parts, ({ run_id }) => run_id);
    for (const { id, shard_total } of some) shards.set(id, presentShards(shard_total!, byRun.get(id) ?? []));
  }
  return shards;
};

export const listParts = (queries: Queries, runIds: readonly number[]): Promise<PartRow[]> =>
  partsOf(queries, runIds).selectAll().execute();

/** Those whose place none has taken, by shard. */
const partsOf = (queries: Queries, runIds: readonly number[]) =>
  queries.selectFrom('parts').where('run_id', 'in', runIds).where('state', '<>', 'replaced').orderBy('shard');

const SHOWN_COLUMNS = ['run_id', 'shard', 'attempt', 'status', 'start_time', 'duration', 'total_tests'] as const;

type ShownPart = Pick<PartRow, (typeof SHOWN_COLUMNS)[number]>;

const presentShards = (total: number, parts: readonly ShownPart[]): Shards => {
  const present = new Set(parts.map(({ shard }) => shard));
  return {
    total,
    missing: Array.from({ length: total }, (_, place) => place + 1).filter((index) => !present.has(index)),
    parts: parts.map((part) => ({
      index: part.shard,
      attempt: part.attempt,
      status: part.status,
      startTime: formatTime(part.start_time),
      duration: part.duration,
      totalTests: part.total_tests,
    })),
  };
};
