import type { RetentionSettings } from '@assay/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bounds, NO_LIMITS, PHASES, type RetainedRun, chooseExpired, matchesPattern, sinceDays } from './rules.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-03-02T10:00:00Z');

const branches = ['main', 'release/1', 'release/2', 'fix/1', null];
const run = fc.record({
  // Some clocks are ahead.
  startTime: fc.integer({ min: -20, max: 5 }).map((days) => NOW + days * DAY_MS + 1),
  arrivedAfterDays: fc.integer({ min: 0, max: 3 }),
  branch: fc.constantFrom(...branches),
  isPinned: fc.boolean(),
  isLive: fc.boolean(),
  fileBytes: fc.constantFrom(0, 0, 10, 1_000),
  databaseBytes: fc.integer({ min: 1, max: 100 }),
});

interface Stored extends RetainedRun {
  readonly fileBytes: number;
  readonly databaseBytes: number;
}

const runs: fc.Arbitrary<Stored[]> = fc.array(run, { maxLength: 12 }).map((some) =>
  some
    .map(({ arrivedAfterDays, ...one }, at) => ({
      ...one,
      id: at + 1,
      createdAt: Math.min(one.startTime, NOW - 30 * DAY_MS) + arrivedAfterDays * DAY_MS,
      hasFiles: one.fileBytes > 0,
      bytes: one.fileBytes + one.databaseBytes,
    }))
    .sort((a, b) => a.startTime - b.startTime || a.id - b.id),
);

const settings: fc.Arbitrary<RetentionSettings> = fc.record({
  days: fc.option(fc.integer({ min: 1, max: 20 })),
  runs: fc.option(fc.integer({ min: 1, max: 12 })),
  bytes: fc.option(fc.integer({ min: 1, max: 3_000 })),
  fileDays: fc.option(fc.integer({ min: 1, max: 20 })),
  keepBranches: fc.subarray(['main', 'release/*', '*1']),
});

const boundsOf = (
  stored: readonly Stored[],
  { days, runs: count, bytes, fileDays, keepBranches }: RetentionSettings,
) => {
  const total = stored.reduce((sum, one) => sum + one.bytes, 0);
  return {
    now: NOW,
    runsSince: sinceDays(days, NOW),
    filesSince: sinceDays(fileDays, NOW),
    oldestOfNewest: count === null ? null : (stored.at(-count) ?? null),
    excessBytes: bytes === null ? 0 : total - bytes,
    newestId: stored.findLast(({ isLive }) => !isLive)?.id ?? null,
    keepBranches,
  } satisfies Bounds;
};

/** What is left, as the transactions of the service go about it: `most` runs in each. */
const retain = (stored: readonly Stored[], limits: RetentionSettings, most = Infinity): Stored[] => {
  let left = [...stored];
  for (const phase of PHASES) {
    for (;;) {
      const { expired } = chooseExpired(phase, left, boundsOf(left, limits));
      if (expired.length === 0) break;
      const chosen = new Set(expired.slice(0, most).map(({ run: { id } }) => id));
      left =
        phase === 'files'
          ? left.map((one) =>
              chosen.has(one.id) ? { ...one, fileBytes: 0, hasFiles: false, bytes: one.databaseBytes } : one,
            )
          : left.filter(({ id }) => !chosen.has(id));
    }
  }
  return left;
};

const isProtected = ({ isPinned, isLive, branch }: Stored, { keepBranches }: RetentionSettings): boolean =>
  isPinned ||
  isLive ||
  (branch !== null && keepBranches.some((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`, 's').test(branch)));

const daysOld = ({ startTime, createdAt }: Stored): number =>
  (NOW - (startTime > NOW ? createdAt : startTime)) / DAY_MS;

describe('retention', () => {
  it('never touches runs that are pinned, of kept branches, or not complete', () => {
    fc.assert(
      fc.property(runs, settings, (stored, limits) => {
        const left = retain(stored, limits);
        for (const one of stored) if (isProtected(one, limits)) expect(left).toContainEqual(one);
      }),
    );
  });

  it('deletes all other runs beyond the age and the number, and no others unless for bytes', () => {
    fc.assert(
      fc.property(runs, settings, (stored, limits) => {
        const left = new Set(retain(stored, { ...limits, bytes: null }).map(({ id }) => id));
        for (const [at, one] of stored.entries()) {
          const isOld = limits.days !== null && daysOld(one) > limits.days;
          const isSurplus = limits.runs !== null && stored.length - at > limits.runs;
          expect(left.has(one.id)).toBe(isProtected(one, limits) || !(isOld || isSurplus));
        }
      }),
    );
  });

  it('deletes files beyond their age alone', () => {
    fc.assert(
      fc.property(runs, settings, (stored, limits) => {
        for (const one of retain(stored, limits)) {
          const before = stored.find(({ id }) => id === one.id)!;
          const isOld = limits.fileDays !== null && daysOld(before) > limits.fileDays;
          expect(one.fileBytes).toBe(isOld && !isProtected(before, limits) ? 0 : before.fileBytes);
          expect(one.databaseBytes).toBe(before.databaseBytes);
        }
      }),
    );
  });

  it('deletes for bytes oldest first, no more than it must, and leaves the newest run', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 3_000 }), fc.subarray(['main']), (stored, bytes, keepBranches) => {
        const limits = { ...NO_LIMITS, bytes, keepBranches };
        const left = retain(stored, limits);
        const { newestId } = boundsOf(stored, limits);
        const mayGo = stored.filter((one) => !isProtected(one, limits) && one.id !== newestId);
        const gone = mayGo.filter(({ id }) => !left.some((one) => one.id === id));
        expect(gone).toEqual(mayGo.slice(0, gone.length));
        expect(stored.length - left.length).toBe(gone.length);
        const total = left.reduce((sum, one) => sum + one.bytes, 0);
        if (total > bytes) expect(gone).toEqual(mayGo);
        if (gone.length > 0) expect(total + gone.at(-1)!.bytes).toBeGreaterThan(bytes);
      }),
    );
  });

  it('finds nothing more the second time, and comes to the same in small transactions as in large ones', () => {
    fc.assert(
      fc.property(runs, settings, fc.integer({ min: 1, max: 4 }), (stored, limits, most) => {
        const left = retain(stored, limits);
        expect(retain(left, limits)).toEqual(left);
        expect(retain(stored, limits, most)).toEqual(left);
      }),
    );
  });

  it('without limits keeps everything', () => {
    fc.assert(
      fc.property(runs, (stored) => {
        expect(retain(stored, NO_LIMITS)).toEqual(stored);
      }),
    );
  });
});

describe('patterns of branches', () => {
  it('match as a regular expression would', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '\n', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, branch) => {
        const expected = new RegExp(
          `^${pattern.replaceAll(/[.*]/g, (letter) => (letter === '*' ? '.*' : '\\.'))}$`,
          's',
        ).test(branch);
        expect(matchesPattern(pattern, branch)).toBe(expected);
      }),
    );
  });

  it('take no time that patterns of many stars would', () => {
    expect(matchesPattern(`${'*a'.repeat(2_000)}b`, 'a'.repeat(4_000))).toBe(false);
  });
});
