import type { Cluster, NewlyFlakyTest, NewlySlowerTest } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { needAttention } from './attention.ts';
import { flakyWords, slowerWords } from './changed-words.ts';

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
      { flaky: [], slower: [] },
      now,
    );
    expect(fresh.map(({ id }) => id)).toEqual([1]);
    expect(returned.map(({ id }) => id)).toEqual([5]);
  });

  it('is nothing that is snoozed', () => {
    const snoozed = cluster(1, { snoozedUntil: '2026-03-11T00:00:00Z' });
    const awake = cluster(2, { snoozedUntil: '2026-03-10T00:00:00Z' }, 'returned');
    const { fresh, returned } = needAttention([snoozed, awake], { flaky: [], slower: [] }, now);
    expect(fresh).toEqual([]);
    expect(returned).toEqual([awake]);
  });

  it('is tests that became flaky or slower within a month', () => {
    const flaky = [flakyTest(1, '2026-03-09T12:00:00Z'), flakyTest(2, '2026-02-01T12:00:00Z')];
    const slower = [slowerTest(3, '2026-02-20T12:00:00Z'), slowerTest(4, '2025-02-20T12:00:00Z')];
    const found = needAttention([], { flaky, slower }, now);
    expect(found.flaky.map(({ id }) => id)).toEqual([1]);
    expect(found.slower.map(({ id }) => id)).toEqual([3]);
  });
});

const resultOf = (startTime: string) => ({ ...run(startTime), testCaseId: 7 });
const place = (startTime: string, commitCount: number | null) => ({
  probability: 0.6,
  before: null,
  run: resultOf(startTime),
  commitCount,
  commits: [{ hash: 'c0ffee5c0ffee5', author: 'Ada', subject: 'Round prices', time: startTime }],
});

const flakyTest = (id: number, startTime: string): NewlyFlakyTest => ({
  id,
  title: 'pays',
  filePath: 'pay.spec.ts',
  browser: null,
  probability: 0.99,
  firstBad: resultOf(startTime),
  lastGood: null,
  place: place(startTime, 4),
  placeCount: 3,
  commitCount: 4,
  before: { passed: 180, flaky: 0, failed: 0 },
  since: { passed: 14, flaky: 5, failed: 1 },
});

const slowerTest = (id: number, startTime: string): NewlySlowerTest => ({
  id,
  title: 'pays',
  filePath: 'pay.spec.ts',
  browser: null,
  beforeMs: 1_200,
  afterMs: 1_680,
  factor: 1.4,
  lastBefore: resultOf(startTime),
  firstAfter: resultOf(startTime),
  place: place(startTime, 1),
  placeCount: 1,
  commitCount: 1,
});

it('says since when a test is flaky or slower, and by how much', () => {
  expect(flakyWords(flakyTest(1, '2026-03-09T12:00:00Z'))).toBe(
    'Flaky since one of 4 commits: 6 of 20 results were not good at once, before that none of 180',
  );
  expect(slowerWords(slowerTest(1, '2026-03-09T12:00:00Z'))).toBe(
    'Slower since c0ffee5, by 40 %: usually 1.7 s, before that 1.2 s',
  );
});
