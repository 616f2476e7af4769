import { describe, expect, it } from 'vitest';
import { holdResults } from './held-results.ts';
import { sampleCase } from './run-samples.ts';

const cases = (count: number) => Array.from({ length: count }, (_, at) => sampleCase(at + 1));

describe('results that arrive while others are read', () => {
  it('wait', () => {
    const taken = cases(2);
    expect(holdResults(taken, cases(5))).toEqual({ shown: taken, waiting: 3 });
  });

  it('show at once when there was none before them', () => {
    const latest = cases(5);
    expect(holdResults([], latest)).toEqual({ shown: latest, waiting: 0 });
  });

  it('take the place of those that went with a part that was sent anew', () => {
    const latest = cases(3);
    expect(holdResults(cases(5), latest)).toEqual({ shown: latest, waiting: 0 });
  });
});
