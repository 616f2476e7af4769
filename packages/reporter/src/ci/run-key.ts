import { createHash } from 'node:crypto';
import type { Submission } from '@assay/contract';
import type { Ci } from './ci.ts';

const LONGEST_KEY = 200;

/**
 * Names the run that shards of one build belong to. A build may run several suites, on several systems, each in
 * shards: `what` has what differs between those and is the same for all shards of one.
 */
export const runKeyOf = (ci: Ci | null, projectName: string, what: readonly string[]): string | null => {
  if (!ci?.build) return null;
  const hash = createHash('sha256').update(JSON.stringify([ci.provider, ci.build, projectName, ...what]));
  return `${ci.provider.toLowerCase().replaceAll(' ', '-')}-${hash.digest('hex').slice(0, 32)}`;
};

type Shard = { readonly index: number; readonly total: number };

export type Part = Pick<Submission, 'runKey' | 'shard'>;

/**
 * Which part of which run this is. Without a key nothing says which run a shard is of, so it is a run of its own. A run
 * that is named but not in shards is the only part, so that the same job tried again takes its place.
 */
export const partOf = (runKey: string | null, shard: Shard | null): Part =>
  runKey === null ? {} : { runKey: runKey.slice(0, LONGEST_KEY), shard: shard ?? { index: 1, total: 1 } };
