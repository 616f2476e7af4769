import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgingRun, chanceOfAbsence, judgeLife } from './life.ts';

const HOUR_MS = 3_600_000;

/** `x` shows the cluster, `.` does not; on another branch they are `X` and `,`; `-` ran only some tests. */
const judge = (course: string, hoursApart = 1) => {
  const runs = [...course].map((letter, at): JudgingRun => ({
    id: at + 1,
    branch: 'X,'.includes(letter) ? 'feature' : 'main',
    startTime: at * hoursApart * HOUR_MS,
    isWhole: letter !== '-',
  }));
  const seen = new Set(runs.flatMap(({ id }) => ('xX'.includes(course[id - 1]!) ? [id] : [])));
  return judgeLife(runs, seen);
};

describe('the life of a cluster', () => {
  it.each([
    ['was never seen', '.....', 'quiet'],
    ['was seen in the one run that there is', 'x', 'open'],
    ['was new in the last run', '.........x', 'open'],
    ['is missing from one run after it was in each', 'xxxxx.', 'open'],
    ['is missing from two runs after it was in each of ten', 'xxxxxxxxxx..', 'quiet'],
    ['is missing from three', 'xxxxxxxxxx...', 'fixed'],
    ['was seen once and is missing from nine', `x${'.'.repeat(9)}`, 'open'],
    ['was seen once and is missing from ten', `x${'.'.repeat(10)}`, 'quiet'],
    ['was seen once and is missing from a hundred', `x${'.'.repeat(100)}`, 'fixed'],
    ['shows up now and then', 'x....x......x...x.....', 'open'],
    ['came back', 'xxxxxxxxxx......x', 'returned'],
    ['came back and went again', `xxxxxxxxxx......xxxxxxxx${'.'.repeat(20)}`, 'fixed'],
    ['is missing only from runs of another branch', `xxxxxx${','.repeat(20)}`, 'open'],
    ['is missing only from runs that ran some tests', `xxxxxx${'-'.repeat(20)}`, 'open'],
    ['was on another branch too', `xxxXX${',,'.repeat(20)}`, 'fixed'],
  ])('that %s', (_, course, state) => {
    expect(judge(course).state).toBe(state);
  });

  it('is quiet when it was seen only on a branch that has no runs any more', () => {
    expect(judge(`X${'.'.repeat(20)}`, 24).state).toBe('quiet');
    expect(judge(`X${'.'.repeat(20)}`, 1).state).toBe('open');
    expect(judge(`X${'.'.repeat(5)}`, 24 * 7).state).toBe('open');
  });

  it('says after how many runs it returned, and counts from there', () => {
    expect(judge('xxxxxxxxxx......x.x')).toMatchObject({
      state: 'returned',
      returnedAfter: 6,
      seenIn: 2,
      seenOf: 3,
      runsWithout: 0,
    });
  });

  it('ends in another run: that is never less likely to be fixed than before', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('x', '.'), minLength: 1, maxLength: 60 }), (course) => {
        const order = ['returned', 'open', 'quiet', 'fixed'];
        expect(order.indexOf(judge(`${course}.`).state)).toBeGreaterThanOrEqual(order.indexOf(judge(course).state) - 1);
        expect(judge(`${course}.`).chance).toBeLessThanOrEqual(judge(course).chance);
        expect(['open', 'returned']).toContain(judge(`${course}x`).state);
      }),
    );
  });

  it('has a chance of absence that is what the share of simulated courses says', () => {
    const [seenIn, seenOf, absent] = [3, 7, 4];
    // Runs after the first one, with a rate of which nothing is known.
    let [like, gone] = [0, 0];
    let state = 1;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let trial = 0; trial < 40_000; trial++) {
      const rate = random();
      const runs = Array.from({ length: seenOf - 1 + absent }, () => random() < rate);
      if (runs.slice(0, seenOf - 1).filter(Boolean).length !== seenIn - 1) continue;
      like++;
      if (!runs.slice(seenOf - 1).includes(true)) gone++;
    }
    expect(gone / like).toBeCloseTo(chanceOfAbsence(seenIn, seenOf, absent), 1.5);
  });
});
