import { randomUUID } from 'node:crypto';
import type { Submission } from '@assay/contract';
import type { Imported } from './imported.ts';

type Shard = NonNullable<Imported['shard']>;

export type Part = Pick<Submission, 'runKey' | 'shard'>;

const LONGEST_KEY = 200;

/**
 * Which part of which run this is. Without a key nothing says which run a shard is of, so it is a run of its own. A run
 * that is named but not in shards is the only part, so that the same job tried again takes its place.
 */
export const partOf = (runKey: string | null, shard: Shard | null): Part =>
  runKey === null ? {} : { runKey: runKey.slice(0, LONGEST_KEY), shard: shard ?? { index: 1, total: 1 } };

export interface PartSettings {
  /** That all files are of, whatever they say. */
  readonly shard: Shard | null;
  readonly runKey: string | null;
  /** What names the build in CI: shards without a run key join by it. */
  readonly buildKey: string | null;
}

export type PartsPlanned =
  | { readonly ok: true; readonly parts: readonly Part[] }
  | { readonly ok: false; readonly problem: 'several shards' | 'no run key' };

/** Which part each of the runs is that files of one call were read as. */
export const planParts = (
  runs: readonly { readonly shard: Shard | null }[],
  { shard, runKey, buildKey }: PartSettings,
): PartsPlanned => {
  if (shard !== null && runs.length > 1) return { ok: false, problem: 'several shards' };
  // Parts of one call belong together, whether or not a CI system has a name for that.
  const shardKey = runKey ?? buildKey ?? (runs.length > 1 ? `upload-${randomUUID()}` : null);
  if (shard !== null && shardKey === null) return { ok: false, problem: 'no run key' };
  if (runs.length > 1) return { ok: true, parts: runs.map((run) => amongOthers(shardKey!, run.shard)) };
  const parts = runs.map((run) => {
    const own = shard ?? run.shard;
    return partOf(own ? shardKey : runKey, own);
  });
  return { ok: true, parts };
};

/** Files of no shard beside files of some are not the only part. */
const amongOthers = (runKey: string, shard: Shard | null): Part => {
  const { shard: own, ...part } = partOf(runKey, shard);
  return shard === null ? part : { ...part, shard: own };
};
