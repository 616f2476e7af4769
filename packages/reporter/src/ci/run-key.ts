import { createHash } from 'node:crypto';
import type { Ci } from './ci.ts';

export { partOf } from '@assay/import/parts';

/**
 * Names the run that shards of one build belong to. A build may run several suites, on several systems, each in
 * shards: `what` has what differs between those and is the same for all shards of one.
 */
export const runKeyOf = (ci: Ci | null, projectName: string, what: readonly string[]): string | null => {
  if (!ci?.build) return null;
  const hash = createHash('sha256').update(JSON.stringify([ci.provider, ci.build, projectName, ...what]));
  return `${ci.provider.toLowerCase().replaceAll(' ', '-')}-${hash.digest('hex').slice(0, 32)}`;
};
