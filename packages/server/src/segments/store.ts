import { LRUCache } from 'lru-cache';
import { blocksNameProject } from '../db/blocks-of-project.ts';
import type { Queries } from '../db/database.ts';
import { ROWS_PER_PIECE, type Turn } from '../turns.ts';
import { BlockError } from './block.ts';
import { NO_RESULTS, type PlacedResults, mergeResults } from './merge-results.ts';
import { type Results, SCANNED_COLUMNS, decodeResults, widen } from './results.ts';
import { readRanges } from './row-indices.ts';
import { type Summary, decodeSummary } from './summary.ts';

const MOST_RUNS_PER_QUERY = 100;
const ENTRY_BYTES = 400;

/** What must be known of a run to read its results. */
export interface ReadableRun {
  readonly id: number;
  readonly version: number;
  readonly result_count: number;
}

export interface SummarySpan {
  readonly level: number;
  readonly index: number;
}

/** Reads decoded segments and summaries, keeping those used last. */
export interface SegmentStore {
  /** Runs that were deleted meanwhile, and damaged ones, are missing from the map. */
  results(runs: readonly ReadableRun[]): Promise<Map<number, Results>>;
  /** Of all runs of a span, or of those of a branch. */
  summary(projectId: number, epoch: number, span: SummarySpan, branch?: string): Promise<Summary | null>;
  readonly cachedBytes: number;
}

export interface SegmentStoreOptions {
  readonly maxCachedBytes: number;
  /** With it, others get theirs between large runs and between the columns of one. */
  readonly turn?: Turn;
  /** Learns of runs whose results cannot be decoded. */
  readonly onDamagedRun?: (runId: number, error: BlockError) => void;
  /** Makes a summary that cannot be decoded again; without it there is none. */
  readonly buildSummary?: (projectId: number, span: SummarySpan, branch?: string) => Promise<Uint8Array | null>;
}

export const createSegmentStore = (
  queries: Queries,
  { maxCachedBytes, turn, onDamagedRun, buildSummary }: SegmentStoreOptions,
): SegmentStore => {
  // Zero would be no bound; nothing is as small as one byte.
  const cache = new LRUCache<string | number, KeptResults | Summary>({ maxSize: Math.max(1, maxCachedBytes) });
  /** Large runs that some read still uses: its other readers share them, even when they are too large for the cache. */
  const used = new Map<number, { readonly version: number; readonly results: WeakRef<Results> }>();
  const find = ({ id, version }: ReadableRun): Results | undefined => {
    const cached = cache.get(id) as KeptResults | undefined;
    if (cached?.version === version) return cached.results;
    const shared = used.get(id);
    return shared?.version === version ? shared.results.deref() : undefined;
  };
  const keep = ({ id, version }: ReadableRun, results: Results): void => {
    cache.set(id, { version, results }, { size: results.byteSize + ENTRY_BYTES });
    if (results.rows <= ROWS_PER_PIECE) return;
    for (const [other, shared] of used) if (!shared.results.deref()) used.delete(other);
    used.set(id, { version, results: new WeakRef(results) });
  };
  /** Returns the runs that should have blocks and have none. */
  const read = async (runs: readonly ReadableRun[], found: Map<number, Results>): Promise<ReadableRun[]> => {
    const blocks = await readBlocks(
      queries,
      runs.map(({ id }) => id),
    );
    return runs.filter((run) => {
      let decoded;
      try {
        decoded = joinBlocks(run, blocks.get(run.id));
      } catch (error) {
        if (!(error instanceof BlockError)) throw error;
        onDamagedRun?.(run.id, error);
        return false;
      }
      if (decoded === null) return true;
      keep(run, decoded);
      found.set(run.id, decoded);
      return false;
    });
  };
  return {
    get cachedBytes() {
      return cache.calculatedSize;
    },
    async results(runs) {
      const found = new Map<number, Results>();
      const missing: ReadableRun[] = [];
      for (const run of runs) {
        const known = find(run);
        if (known) found.set(run.id, known);
        else missing.push(run);
      }
      for (const some of inPieces(missing)) {
        if (turn && some.length < missing.length) await turn();
        const gone = await read(some, found);
        // A run without blocks was deleted, unless it lost its only part since its row was read.
        if (gone.length > 0) await read(await readRows(queries, gone), found);
        if (turn) await widenLarge(some, found, turn);
      }
      return found;
    },
    async summary(projectId, epoch, span, branch) {
      const { level, index } = span;
      // A full span changes only when one of its runs is deleted or changed, and that raises the epoch of the project.
      const key = `${projectId}/${epoch}/${level}/${index}/${branch ?? ''}`;
      const cached = cache.get(key) as Summary | undefined;
      if (cached) return cached;
      const row = await readSummary(queries, projectId, span, branch);
      if (!row) return null;
      let decoded;
      try {
        decoded = decodeSummary(row.data);
      } catch (error) {
        if (!(error instanceof BlockError) || !buildSummary) throw error;
        const again = await buildSummary(projectId, span, branch);
        if (again === null) return null;
        decoded = decodeSummary(again);
      }
      cache.set(key, decoded, { size: decoded.byteSize + ENTRY_BYTES });
      return decoded;
    },
  };
};

const readSummary = (queries: Queries, projectId: number, { level, index }: SummarySpan, branch: string | undefined) =>
  branch === undefined
    ? queries
        .selectFrom('summaries')
        .select('data')
        .where('project_id', '=', projectId)
        .where('level', '=', level)
        .where('span', '=', index)
        .executeTakeFirst()
    : queries
        .selectFrom('branch_summaries')
        .select('data')
        .where('project_id', '=', projectId)
        .where('branch', '=', branch)
        .where('level', '=', level)
        .where('span', '=', index)
        .executeTakeFirst();

/** As many runs as are read in one piece, or a single one. */
function* inPieces(runs: readonly ReadableRun[]): Generator<readonly ReadableRun[]> {
  for (let start = 0; start < runs.length;) {
    let rows = runs[start]!.result_count;
    let end = start + 1;
    for (; end < runs.length && end - start < MOST_RUNS_PER_QUERY; end++) {
      rows += runs[end]!.result_count;
      if (rows > ROWS_PER_PIECE) break;
    }
    yield runs.slice(start, end);
    start = end;
  }
}

/** The columns that every scan needs; widening them all at once would take long. */
const widenLarge = async (runs: readonly ReadableRun[], found: Map<number, Results>, turn: Turn): Promise<void> => {
  for (const { id } of runs) {
    const results = found.get(id);
    if (results && results.rows > ROWS_PER_PIECE) await widen(results, SCANNED_COLUMNS, turn);
  }
};

/** What a run holds never changes under the same version; of a run that grows the latest version alone is kept. */
interface KeptResults {
  readonly version: number;
  readonly results: Results;
}

interface StoredBlock {
  readonly run_id: number;
  readonly first_index: number;
  readonly ranges: string | null;
  readonly shard: number | null;
  readonly results: Uint8Array;
}

const readRows = (queries: Queries, runs: readonly ReadableRun[]): Promise<ReadableRun[]> =>
  queries
    .selectFrom('runs')
    .select(['id', 'version', 'result_count'])
    .where(
      'id',
      'in',
      runs.map(({ id }) => id),
    )
    .execute();

const readBlocks = async (queries: Queries, runIds: readonly number[]): Promise<Map<number, StoredBlock[]>> => {
  const rows = await queries
    .selectFrom('segments')
    .leftJoin('parts', (join) =>
      join
        .onRef('parts.id', '=', 'segments.part_id')
        .$call((same) =>
          blocksNameProject(queries) ? same.onRef('parts.project_id', '=', 'segments.project_id') : same,
        ),
    )
    .select(['segments.run_id', 'segments.first_index', 'segments.ranges', 'parts.shard', 'segments.results'])
    .where('segments.run_id', 'in', runIds)
    .execute();
  return Map.groupBy(rows, ({ run_id }) => run_id);
};

/** Parts are in the order of their shards, whenever they arrived. */
export const byShard = (
  a: { readonly shard: number | null; readonly first_index: number },
  b: { readonly shard: number | null; readonly first_index: number },
): number => (a.shard ?? 0) - (b.shard ?? 0) || a.first_index - b.first_index;

const joinBlocks = (run: ReadableRun, blocks: StoredBlock[] | undefined): Results | null => {
  if (!blocks) return run.result_count === 0 ? NO_RESULTS : null;
  if (blocks[0]!.ranges === null) return decodeResults(blocks[0]!.results);
  return mergeResults(
    blocks.sort(byShard).map(({ shard, ranges, results }): PlacedResults => ({
      shard: shard ?? 0,
      ranges: readRanges(ranges!),
      results: decodeResults(results),
    })),
  );
};
