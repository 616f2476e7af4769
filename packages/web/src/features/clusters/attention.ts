import type { Cluster } from '@assay/contract';

/** What is called new. */
const NEW_MS = 7 * 24 * 3_600_000;

export interface Attention {
  readonly returned: readonly Cluster[];
  readonly fresh: readonly Cluster[];
}

/** Problems that came or came back lately and go on, unless somebody snoozed them. */
export const needAttention = (clusters: readonly Cluster[], now: Date): Attention => {
  const awake = clusters.filter(({ snoozedUntil }) => snoozedUntil === null || new Date(snoozedUntil) <= now);
  return {
    returned: awake.filter(({ life }) => life.state === 'returned'),
    fresh: awake.filter(
      ({ life, firstSeen }) =>
        life.state === 'open' && firstSeen !== null && now.getTime() - Date.parse(firstSeen.startTime) < NEW_MS,
    ),
  };
};
