import type { Delivery } from './delivery.ts';

/** Why the run shows the results of another sender instead of these. */
export const describeSuperseded = (delivery: Delivery): string =>
  `another test run with ${placeOf(delivery)} took their place. ${HOW_TO_KEEP_APART}`;

export const describeReplaced = (delivery: Delivery): string =>
  `these results replaced those of an earlier test run with ${placeOf(delivery)}. ${HOW_TO_KEEP_APART}`;

const HOW_TO_KEEP_APART = 'If that was another suite, give each suite its own run key (runKey, ASSAY_RUN_KEY).';

const placeOf = ({ submission: { runKey, shard } }: Delivery): string => {
  const key = runKey ? `run key "${runKey}"` : 'the same key';
  return shard && shard.total > 1 ? `${key} and shard ${shard.index} of ${shard.total}` : key;
};
