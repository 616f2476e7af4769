import { CHANGED_WITHIN_DAYS, type ChangedTests, type Cluster } from '@assay/contract';

const DAY_MS = 24 * 3_600_000;
/** What is called new. */
const NEW_MS = 7 * DAY_MS;

export interface Attention {
  readonly returned: readonly Cluster[];
  readonly fresh: readonly Cluster[];
  readonly flaky: ChangedTests['flaky'];
  readonly slower: ChangedTests['slower'];
}

/**
 * Problems that came or came back lately and go on, unless somebody snoozed them, and tests that lately became flaky or
 * slower. What was news when the latest run came may be none any more.
 */
export const needAttention = (
  clusters: readonly Cluster[],
  changed: Pick<ChangedTests, 'flaky' | 'slower'>,
  now: Date,
): Attention => {
  const isWithin = (startTime: string, spanMs: number): boolean => now.getTime() - Date.parse(startTime) < spanMs;
  const awake = clusters.filter(({ snoozedUntil }) => snoozedUntil === null || new Date(snoozedUntil) <= now);
  return {
    returned: awake.filter(({ life }) => life.state === 'returned'),
    fresh: awake.filter(
      ({ life, firstSeen }) => life.state === 'open' && firstSeen !== null && isWithin(firstSeen.startTime, NEW_MS),
    ),
    flaky: changed.flaky.filter(({ firstBad }) => isWithin(firstBad.startTime, CHANGED_WITHIN_DAYS * DAY_MS)),
    slower: changed.slower.filter(({ firstAfter }) => isWithin(firstAfter.startTime, CHANGED_WITHIN_DAYS * DAY_MS)),
  };
};
