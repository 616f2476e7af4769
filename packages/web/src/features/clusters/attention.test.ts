import type { Cluster } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { needAttention } from './attention.ts';

const now = new Date('2026-03-10T12:00:00Z');
const run = (startTime: string) => ({ id: 1, status: 'failed', startTime, duration: 1, branch: null, commit: null });

const cluster = (id: number, fields: Partial<Cluster>, state: Cluster['life']['state'] = 'open'): Cluster => ({
  id,
  cause: 'Error: no bank',
  joined: 0,
  failures: 1,
  runs: 1,
  firstSeen: run('2026-03-09T12:00:00Z'),
  lastSeen: run('2026-03-10T11:00:00Z'),
  life: { state, runsWithout: 0, chance: 1, seenIn: 1, seenOf: 1, returnedAfter: null },
  note: null,
  assignee: null,
  issueUrl: null,
  snoozedUntil: null,
  ...fields,
});

describe('what needs attention', () => {
  it('is what came within a week and goes on, and what came back', () => {
    const { fresh, returned } = needAttention(
      [
        cluster(1, {}),
        cluster(2, { firstSeen: run('2026-03-01T12:00:00Z') }),
        cluster(3, {}, 'quiet'),
        cluster(4, {}, 'fixed'),
        cluster(5, { firstSeen: run('2025-03-01T12:00:00Z') }, 'returned'),
        cluster(6, { firstSeen: null }),
      ],
      now,
    );
    expect(fresh.map(({ id }) => id)).toEqual([1]);
    expect(returned.map(({ id }) => id)).toEqual([5]);
  });

  it('is nothing that is snoozed', () => {
    const snoozed = cluster(1, { snoozedUntil: '2026-03-11T00:00:00Z' });
    const awake = cluster(2, { snoozedUntil: '2026-03-10T00:00:00Z' }, 'returned');
    const { fresh, returned } = needAttention([snoozed, awake], now);
    expect(fresh).toEqual([]);
    expect(returned).toEqual([awake]);
  });
});
