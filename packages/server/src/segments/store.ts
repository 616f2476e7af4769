import { createByteCache } from '../byte-cache.ts';
import type { Queries } from '../db/database.ts';
import { type Results, decodeResults } from './results.ts';
import { type Summary, decodeSummary } from './summary.ts';

const RUNS_PER_QUERY = 100;

/** Reads decoded segments and summaries, keeping those used last. */
export interface SegmentStore {
  /** Runs that were deleted meanwhile are missing from the map. */
  results(runIds: readonly number[]): Promise<Map<number, Results>>;
  summary(projectId: number, epoch: number, level: number, span: number): Promise<Summary | null>;
  readonly cachedBytes: number;
}

export const createSegmentStore = (queries: Queries, maxCachedBytes: number): SegmentStore => {
  const cache = createByteCache<string | number, Results | Summary>(maxCachedBytes);
  return {
    get cachedBytes() {
      return cache.bytes;
    },
    async results(runIds) {
      const found = new Map<number, Results>();
      const missing: number[] = [];
      for (const runId of runIds) {
        const cached = cache.get(runId) as Results | undefined;
        if (cached) found.set(runId, cached);
        else missing.push(runId);
      }
      for (let start = 0; start < missing.length; start += RUNS_PER_QUERY) {
        for (const { run_id, results } of await readResults(queries, missing.slice(start, start + RUNS_PER_QUERY))) {
          const decoded = decodeResults(results);
          cache.set(run_id, decoded, decoded.byteSize);
          found.set(run_id, decoded);
        }
      }
      return found;
    },
    async summary(projectId, epoch, level, span) {
      // A full span changes only when one of its runs is deleted, and that raises the epoch of the project.
      const key = `${projectId}/${epoch}/${level}/${span}`;
      const cached = cache.get(key) as Summary | undefined;
      if (cached) return cached;
      const row = await queries
        .selectFrom('summaries')
        .select('data')
        .where('project_id', '=', projectId)
        .where('level', '=', level)
        .where('span', '=', span)
        .executeTakeFirst();
      if (!row) return null;
      const decoded = decodeSummary(row.data);
      cache.set(key, decoded, decoded.byteSize);
      return decoded;
    },
  };
};

const readResults = (queries: Queries, runIds: readonly number[]) =>
  queries.selectFrom('segments').select(['run_id', 'results']).where('run_id', 'in', runIds).execute();
