import { LRUCache } from 'lru-cache';
import type { Queries } from '../db/database.ts';
import { type PackedOutline, RUNS_PER_PACK, unpackOutlines } from './outline-pack.ts';
import { type Outline, readOutline } from './outline.ts';

/** What must be known of a run to find its outline. */
export interface OutlinedRun {
  readonly id: number;
  readonly version: number;
  readonly sequence: number;
}

/** Reads outlines, keeping those used last. */
export interface OutlineStore {
  /** Those of some runs of a project that may have what is looked for: all that have no outline yet, too. */
  narrow<R extends OutlinedRun>(
    projectId: number,
    runs: readonly R[],
    mayMatch: (outline: Outline) => boolean,
  ): Promise<R[]>;
}

const ENTRY_BYTES = 200;

export const createOutlineStore = (queries: Queries, maxCachedBytes: number): OutlineStore => {
  const cache = new LRUCache<string, ReadonlyMap<number, PackedOutline>>({ maxSize: Math.max(1, maxCachedBytes) });
  const read = async (projectId: number, spans: readonly number[]): Promise<void> => {
    const rows = await queries
      .selectFrom('run_outlines')
      .select(['span', 'data'])
      .where('project_id', '=', projectId)
      .where('span', 'in', spans)
      .execute();
    for (const { span, data } of rows) {
      cache.set(`${projectId}/${span}`, unpackOutlines(data), { size: data.length + RUNS_PER_PACK * ENTRY_BYTES });
    }
  };
  return {
    async narrow(projectId, runs, mayMatch) {
      const packs = new Map<number, ReadonlyMap<number, PackedOutline> | undefined>();
      const missing = new Set<number>();
      const find = (span: number) => {
        const pack = cache.get(`${projectId}/${span}`);
        packs.set(span, pack);
        return pack;
      };
      for (const { id, version, sequence } of runs) {
        // More may come of a run without a number.
        if (sequence < 0) continue;
        const span = spanOf(sequence);
        const pack = packs.get(span) ?? find(span);
        // What others have kept since is read again, for runs that are not in it.
        if (pack?.get(id)?.version !== version) missing.add(span);
      }
      if (missing.size > 0) {
        await read(projectId, [...missing]);
        for (const span of missing) find(span);
      }
      return runs.filter(({ id, version, sequence }) => {
        const kept = packs.get(spanOf(sequence))?.get(id);
        return kept?.version !== version || mayMatch(readOutline(kept.bytes));
      });
    },
  };
};

const spanOf = (sequence: number): number => Math.floor(sequence / RUNS_PER_PACK);
