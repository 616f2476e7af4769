import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeRuns } from './place-runs.ts';

/** Such as `c<b` for a commit and its parent, `m<b,s` for a merge. */
const linksOf = (text: string): Map<string, string[]> =>
  new Map(
    text.split(' ').map((word) => {
      const [hash, parents = ''] = word.split('<');
      return [hash!, parents === '' ? [] : parents.split(',')];
    }),
  );
const runsOf = (commits: readonly (string | null)[]) => commits.map((commit, startTime) => ({ commit, startTime }));
const placed = (commits: readonly (string | null)[], links: string) => {
  const { places, by, unplaced } = placeRuns(runsOf(commits), linksOf(links));
  const words = places.map(({ runs, commits: fresh }) => `${runs[0]!.commit}×${runs.length}:${fresh?.join('') ?? '?'}`);
  return { places: words.join(' '), by, unplaced };
};

describe('runs are placed', () => {
  it('by their commits, with what is new in each', () => {
    expect(placed(['a', 'b', 'd', 'd'], 'a b<a c<b d<c')).toEqual({
      places: 'a×1:? b×1:b d×2:dc',
      by: 'commits',
      unplaced: 0,
    });
  });

  it('by their commits when clocks jump, though the latest is not the newest', () => {
    expect(placed(['d', 'a', 'c', 'b'], 'a b<a c<b d<c').places).toBe('a×1:? b×1:b c×1:c d×1:d');
  });

  it('with what was merged in the place of the merge', () => {
    expect(placed(['a', 'b', 'm'], 'a b<a s<a t<s m<b,t').places).toBe('a×1:? b×1:b m×1:mts');
  });

  it('without those of commits that are no more in the history', () => {
    expect(placed(['a', 'b', 'x', 'c', 'd'], 'a b<a x<a c<b d<c')).toEqual({
      places: 'a×1:? b×1:b c×1:c d×1:d',
      by: 'commits',
      unplaced: 1,
    });
  });

  it('with earlier ones of unknown commits before', () => {
    expect(placed(['p', null, 'b', 'c', 'd'], 'b<a c<b d<c')).toEqual({
      places: 'p×1:? null×1:? b×1:? c×1:c d×1:d',
      by: 'commits',
      unplaced: 0,
    });
  });

  it('without counting commits across a gap in what is known', () => {
    expect(placed(['a', 'c', 'e'], 'a b<a c<b,s e<c').places).toBe('a×1:? c×1:? e×1:e');
  });

  it('by their starts where commits or parents are not known', () => {
    expect(placed(['a', 'b', 'a', null, null], '')).toEqual({
      places: 'a×2:? b×1:? null×1:? null×1:?',
      by: 'time',
      unplaced: 0,
    });
    expect(placed(['a', 'b', 'c'], 'a b c').by).toBe('time');
    expect(placed([], 'a').places).toBe('');
    expect(placed(['a'], 'a').places).toBe('a×1:?');
  });
});

it('no run is lost or told twice, even if commits are behind themselves', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const links = fc.dictionary(fc.constantFrom(...names), fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }));
  fc.assert(
    fc.property(fc.array(fc.option(fc.constantFrom(...names)), { maxLength: 12 }), links, (commits, parents) => {
      const runs = runsOf(commits);
      const { places, unplaced } = placeRuns(runs, new Map(Object.entries(parents)));
      const told = places.flatMap((place) => place.runs);
      expect(new Set(told).size).toBe(told.length);
      expect(told.length + unplaced).toBe(runs.length);
    }),
  );
});
